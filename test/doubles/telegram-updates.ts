// The queue of updates of one bot: handed out by long polling, forgotten only when a later offset confirms them.

interface Poll {
  readonly answer: (updates: readonly unknown[] | 'conflict') => void;
  readonly limit: number;
  readonly timer: NodeJS.Timeout;
}

export interface UpdateQueue {
  /** Adds one, with the next id unless it has its own; anything else is handed out as it is. */
  add(update: Readonly<Record<string, unknown>>): number;
  addRaw(update: unknown): void;
  /** Resolves with what there is, or after the time-out with nothing. A second call ends the first with a conflict. */
  poll(options: {
    offset: number;
    limit: number;
    timeoutMs: number;
  }): Promise<readonly unknown[] | 'conflict'>;
  /** Ends a call that waits, as if its connection had gone. */
  release(): void;
  /** The last one that was added. */
  readonly last: Readonly<Record<string, unknown>> | undefined;
  /** What nobody has confirmed. */
  readonly waiting: number;
}

export function updateQueue(): UpdateQueue {
  let queue: unknown[] = [];
  let nextId = 1000;
  let last: Readonly<Record<string, unknown>> | undefined;
  let pending: Poll | undefined;

  const end = (answer: readonly unknown[] | 'conflict'): void => {
    const poll = pending;
    pending = undefined;
    if (poll === undefined) return;
    clearTimeout(poll.timer);
    poll.answer(answer);
  };
  const offer = (): void => {
    if (!pending || queue.length === 0) return;
    const given = queue.slice(0, pending.limit);
    // What has no id can never be confirmed.
    queue = queue.filter(update => !given.includes(update) || !Number.isNaN(idOf(update)));
    end(given);
  };
  const addRaw = (update: unknown): void => {
    queue.push(update);
    // Those who say several things at once mean them to arrive together.
    setImmediate(offer);
  };
  return {
    get waiting() {
      return queue.length;
    },
    get last() {
      return last;
    },
    add(update) {
      last = update;
      const id = typeof update['update_id'] === 'number' ? update['update_id'] : nextId++;
      addRaw({ ...update, update_id: id });
      return id;
    },
    addRaw,
    poll({ offset, limit, timeoutMs }) {
      end('conflict');
      queue = queue.filter(update => !(idOf(update) < offset));
      return new Promise(resolve => {
        const timer = setTimeout(() => end([]), timeoutMs);
        pending = { answer: resolve, limit, timer };
        offer();
      });
    },
    release: () => end([]),
  };
}

function idOf(update: unknown): number {
  const id =
    typeof update === 'object' && update !== null && 'update_id' in update ? update.update_id : undefined;
  return typeof id === 'number' ? id : Number.NaN;
}
