// The messages of modal.proto as service definitions for a gRPC server.
import { readFileSync } from 'node:fs';
import type { ServiceDefinition } from 'nice-grpc';
import protobuf from 'protobufjs';

const { root } = protobuf.parse(readFileSync(new URL('modal.proto', import.meta.url), 'utf8'));
const PACKAGE = 'modal.client';

/** A decoded message: every field of the file is there, with its default where nothing came. */
export type Message = Readonly<Record<string, unknown>>;

export function encode(type: string, value: Message): Uint8Array {
  const found = root.lookupType(`${PACKAGE}.${type}`);
  return found.encode(found.create(value)).finish();
}

function decode(type: string, bytes: Uint8Array): Message {
  const found = root.lookupType(`${PACKAGE}.${type}`);
  return found.toObject(found.decode(bytes), { defaults: true, arrays: true, longs: Number });
}

/** `wireName`: the service's full name, as the SDK calls it. */
function definitionOf(service: string, wireName: string): ServiceDefinition {
  const { methods } = root.lookupService(`${PACKAGE}.${service}`);
  const entries = Object.values(methods).map(method => {
    const { name, requestType, responseType, responseStream = false } = method;
    const definition = {
      path: `/${wireName}/${name}`,
      requestStream: false,
      responseStream,
      requestSerialize: (value: Message) => encode(requestType, value),
      requestDeserialize: (bytes: Uint8Array) => decode(requestType, bytes),
      responseSerialize: (value: Message) => encode(responseType, value),
      responseDeserialize: (bytes: Uint8Array) => decode(responseType, bytes),
      options: {},
    };
    return [name, definition] as const;
  });
  return Object.fromEntries(entries);
}

export const controlPlane = definitionOf('ModalClient', 'modal.client.ModalClient');
export const commandRouter = definitionOf('TaskCommandRouter', 'modal.task_command_router.TaskCommandRouter');
