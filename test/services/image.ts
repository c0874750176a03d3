// The images that tests run containers from, loaded into the Docker engine on demand.
import { type DockerAddress, docker, dockerCommand } from './docker.ts';
import { type ImageName, imageArchive, imageTag } from './image-archive.ts';
import type { Service } from './service.ts';

export interface ImageAddress {
  /** As in `docker run <image>`. */
  readonly image: string;
  readonly docker: DockerAddress;
}

function imageService(name: ImageName): Service<ImageAddress> {
  return {
    name: `image-${name}`,
    async start(context) {
      const engine = await context.need(docker);
      const archive = await imageArchive(context, name);
      await dockerCommand(engine, 'load', '--quiet', '--input', archive);
      return {
        address: { image: imageTag(name), docker: engine },
        // Our own engine goes away with its images; in a developer's engine the image serves the next run.
        stop: async () => undefined,
      };
    },
  };
}

export const bookwormImage = imageService('bookworm');
export const busyboxImage = imageService('busybox');
export const nobashImage = imageService('nobash');
export const slimImage = imageService('slim');
export const packagesImage = imageService('packages');
