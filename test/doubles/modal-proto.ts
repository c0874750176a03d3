// The messages of modal.proto as service definitions for a gRPC server.
import { readFileSync } from 'node:fs';
import type { ServiceDefinition } from 'nice-grpc';
import protobuf from 'protobufjs';

const { root } = protobuf.parse(readFileSync(new URL('modal.proto', import.meta.url), 'utf8'));
const PACKAGE = 'modal.client';

/** A decoded message: every field of the file is there, with its default where nothing came. */
export type Message = Readonly<Record<string, unknown>>;

export function encode(type: string, value: Message): Uint8Array {
  return codecOf(type).write(value);
}

/** Looked up once, not for every message. */
function codecOf(type: string) {
  const found = root.lookupType(`${PACKAGE}.${type}`);
  return {
    write: (value: Message): Uint8Array => found.encode(found.create(value)).finish(),
    read: (bytes: Uint8Array): Message =>
      found.toObject(found.decode(bytes), { defaults: true, arrays: true, longs: Number }),
  };
}

/** The library copies bytes, and takes a buffer over as it is; a gigabyte of output is a gigabyte less to copy. */
function handedOver(bytes: Uint8Array): Uint8Array {
  const isWhole = bytes.length === bytes.buffer.byteLength;
  return isWhole ? (bytes.buffer as unknown as Uint8Array) : bytes; // it calls Buffer.from with it
}

/** `wireName`: the service's full name, as the SDK calls it. */
function definitionOf(service: string, wireName: string): ServiceDefinition {
  const { methods } = root.lookupService(`${PACKAGE}.${service}`);
  const entries = Object.values(methods).map(method => {
    const { name, responseStream = false } = method;
    const [request, response] = [codecOf(method.requestType), codecOf(method.responseType)];
    const definition = {
      path: `/${wireName}/${name}`,
      requestStream: false,
      responseStream,
      requestSerialize: request.write,
      requestDeserialize: request.read,
      responseSerialize: (value: Message) => handedOver(response.write(value)),
      responseDeserialize: response.read,
      options: {},
    };
    return [name, definition] as const;
  });
  return Object.fromEntries(entries);
}

export const controlPlane = definitionOf('ModalClient', 'modal.client.ModalClient');
export const commandRouter = definitionOf('TaskCommandRouter', 'modal.task_command_router.TaskCommandRouter');
