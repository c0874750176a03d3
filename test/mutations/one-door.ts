// P17: nothing happens in a sandbox past the door, nothing of the installation leaves, and no command answers for its owner.
import type { Mutation } from './mutation.ts';

const DOOR = { promise: 'P17', testFile: 'test/integration/gateway/one-door.test.ts' } as const;
const SOCKET = {
  promise: 'P8',
  file: 'src/gateway/process/control-requests.ts',
  testFile: 'test/integration/gateway-process/control.test.ts',
} as const;

export const oneDoor: readonly Mutation[] = [
  {
    ...DOOR,
    name: 'what people do in a sandbox is not judged',
    file: 'src/agent/door.ts',
    old: "const passed = action ? await passage(this.#parts, { name, action }, context) : ANYWHERE;\n      if (passed.kind === 'denied') throw",
    new: "const passed = ANYWHERE as Awaited<ReturnType<typeof passage>>;\n      if (passed.kind === 'denied') throw",
    tests: ['P17: asks an owner before a user gets a key, and records who wanted it'],
  },
  {
    ...DOOR,
    name: 'what people do in a sandbox is not recorded',
    file: 'src/agent/door.ts',
    old: "      await record('done');\n",
    new: '',
    tests: ['P17: asks nobody about an ordinary file, and records it all the same'],
  },
  {
    ...DOOR,
    name: 'a tool gives files of the installation away',
    file: 'src/agent/passage.ts',
    old: 'if (path !== undefined && takesOwnFile(action, path, { folders, workdir }))',
    new: 'if (false)',
    tests: ['P17: lets nothing of the installation out, whoever agrees'],
  },
  {
    ...DOOR,
    name: 'users see paths of the host',
    file: 'src/gateway/commands/sandbox.ts',
    old: 'reader: by.role',
    new: "reader: 'owner'",
    tests: ['shows users no path of the host, and owners who decided what'],
  },
  {
    ...SOCKET,
    name: 'a command of a chat answers its own approval over the socket',
    old: "    if (parts.serving.start.policy.isolation === 'none') refuseShared(request.verb);\n",
    new: '',
    tests: [
      'the socket takes no answers, links, codes and stops, since a command of a chat could ask for them',
    ],
  },
  {
    promise: 'P8',
    name: 'a command of a chat writes its own approval into the store',
    file: 'src/approvals/desk.ts',
    old: 'if (!this.#heedsStore) return this.#granted.get(sessionId) ?? [];',
    new: '',
    testFile: 'test/integration/store/desk.test.ts',
    tests: ['counts from this process alone where commands run as our own user'],
  },
  {
    promise: 'P8',
    name: 'an approval that somebody else has written counts when its time is up',
    file: 'src/approvals/desk.ts',
    old: 'if (this.#heedsStore) await this.#report(id);\n    else ',
    new: 'await this.#report(id);\n    if (!this.#heedsStore) ',
    testFile: 'test/integration/store/desk.test.ts',
    tests: ['counts from this process alone where commands run as our own user'],
  },
  {
    promise: 'P1',
    name: 'the metrics go by the name in the first line of a request',
    file: 'src/gateway/process/http.ts',
    old: "hostOf(context.req.header('host'))",
    new: 'new URL(context.req.url).hostname',
    testFile: 'test/integration/gateway-process/process.test.ts',
    tests: ['answers /healthz, /readyz and /metrics, and is gone with lock and socket when it is stopped'],
  },
  {
    promise: 'P4',
    name: 'a body is read without an end',
    file: 'src/base/bounded-body.ts',
    old: '      if (size > mostBytes) throw bodyTooLarge(mostBytes);\n',
    new: '',
    testFile: 'src/base/bounded-body.test.ts',
    tests: ['is refused as soon as there is too much of it'],
  },
  {
    promise: 'P4',
    name: 'one person begins as many uploads as they like',
    file: 'src/platforms/web/turnstile.ts',
    old: 'own >= MOST_OF_ONE || ',
    new: '',
    testFile: 'test/integration/platforms/web.test.ts',
    tests: ['are few of one person, refused before they are read, and take nobody else’s place'],
  },
];
