// Who commands run as: numbers and home of a user, as the image's own files know them.

export interface Account {
  readonly uid: number;
  readonly gid: number;
  /** Absent: the image knows no such user, who therefore has no home there. */
  readonly home?: string;
}

/** `name`, `uid`, either with `:group`. Undefined when a name is unknown to the image. */
export function accountOf(user: string, passwd: string, group: string = ''): Account | undefined {
  const [who = '', of] = user.split(':');
  if (who === '' || who === '0' || who === 'root') {
    const gid = of === undefined ? 0 : groupId(of, group);
    return gid === undefined ? undefined : { uid: 0, gid, home: '/root' };
  }
  const entry = entries(passwd).find(([name, , uid]) => name === who || uid === who);
  const uid = entry ? Number(entry[2]) : numeric(who);
  const gid = of === undefined ? Number(entry?.[3] ?? 0) : groupId(of, group);
  if (uid === undefined || gid === undefined) return undefined;
  const home = entry?.[5];
  return { uid, gid, ...(home ? { home } : {}) };
}

function groupId(group: string, file: string): number | undefined {
  return numeric(group) ?? numeric(entries(file).find(([name]) => name === group)?.[2] ?? '');
}

function entries(file: string): string[][] {
  return file.split('\n').map(line => line.split(':'));
}

function numeric(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
