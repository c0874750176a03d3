import { describe, expect, it } from 'vitest';
import { convertedName, imageSource } from './image.ts';

const places = { cwd: '/project', userHome: '/home/olga' };

describe('the name of an image', () => {
  it.each([
    ['/images/a.sif', '/images/a.sif'],
    ['./b', '/project/b'],
    ['~/c.sif', '/home/olga/c.sif'],
    ['d.sif', '/project/d.sif'],
  ])('%s is a file or folder of this machine', (name, path) => {
    expect(imageSource(name, places)).toEqual({ kind: 'here', path });
  });

  it.each([
    ['docker://debian:12', 'docker://debian:12'],
    ['oras://registry/x:1', 'oras://registry/x:1'],
    ['debian:12', 'docker://debian:12'],
    ['nikolaik/python-nodejs:python3.11-nodejs20', 'docker://nikolaik/python-nodejs:python3.11-nodejs20'],
    ['registry:5000/a/b@sha256:00', 'docker://registry:5000/a/b@sha256:00'],
  ])('%s is converted from elsewhere', (name, uri) => {
    expect(imageSource(name, places)).toEqual({ kind: 'converted', uri });
  });

  it('takes an archive of this machine', () => {
    const archive = '/project/x.tar';
    expect(imageSource('docker-archive:x.tar', places)).toEqual({
      ...{ kind: 'converted', uri: 'docker-archive:/project/x.tar', archive },
    });
    expect(imageSource('oci-archive:///project/x.tar', places)).toMatchObject({ archive });
  });

  it('refuses what is of no known kind, and instances of others', () => {
    for (const name of ['ftp://x/y', 'instance://other'])
      expect(() => imageSource(name, places)).toThrow('of no known kind');
  });
});

describe('the name of a converted file', () => {
  it('is readable, fits into a folder, and differs by name and version', () => {
    const name = convertedName(`docker://${'long/'.repeat(50)}debian:12`, '');
    expect(name).toMatch(/debian-12-[0-9a-f]{16}\.sif$/);
    expect(name.length).toBeLessThan(100);
    expect(name).not.toContain('/');
    expect(convertedName('docker-archive:/x.tar', '1')).not.toBe(convertedName('docker-archive:/x.tar', '2'));
    expect(convertedName('docker://a-b', '')).not.toBe(convertedName('docker://a/b', ''));
  });
});
