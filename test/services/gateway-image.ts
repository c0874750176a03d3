// The image of docker/Dockerfile, built as it is, but for its two base images, which come from no registry: a small Debian,
// and one in which `npm ci` has been done before (test/integration/start does it anew).
import { join } from 'node:path';
import { dockerCommand } from './docker.ts';
import { type ImageAddress, packagesImage, slimImage } from './image.ts';
import type { Service } from './service.ts';

const project = join(import.meta.dirname, '../..');
const TAG = 'hermes-test:gateway';

export const gatewayImage: Service<ImageAddress> = {
  name: 'gateway-image',
  async start(context) {
    const { docker, image: base } = await context.need(slimImage);
    const { image: packages } = await context.need(packagesImage);
    const images = ['--build-arg', `NODE_IMAGE=${packages}`, '--build-arg', `BASE_IMAGE=${base}`];
    // No step of it may reach for a network.
    const flags = ['--quiet', '--network=none', '--tag', TAG, '--file', join(project, 'docker/Dockerfile')];
    await dockerCommand(docker, 'build', ...flags, ...images, project);
    return { address: { image: TAG, docker }, stop: async () => undefined };
  },
};
