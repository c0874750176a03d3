// What the views have in common: live topics, calls of commands, the time.
import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { run } from './api.js';

/** Who looks, the live socket, and how to tell them something. */
export const Shared = createContext(/** @type {any} */ (undefined));

/** @returns {{ me: any, live: import('./live.js').Live, toast: (text: string, kind?: 'ok' | 'bad') => void }} */
export function useShared() {
  return useContext(Shared);
}

/** The newest answer of a topic; undefined until there is one. @param {string} topic */
export function useTopic(topic) {
  const { live } = useShared();
  const [, again] = useState(0);
  const answer = live.answer(topic);
  const drawn = useRef(answer);
  drawn.current = answer;
  useEffect(() => {
    const leave = live.watch(topic);
    const look = () => {
      if (live.answer(topic) !== drawn.current) again(count => count + 1);
    };
    const stop = live.onChange(look);
    // It may have come between the drawing and now.
    look();
    return () => {
      stop();
      leave();
    };
  }, [live, topic]);
  return answer;
}

export function useLineState() {
  const { live } = useShared();
  const [state, setState] = useState(live.state());
  useEffect(() => {
    const look = () => setState(live.state());
    look();
    return live.onChange(look);
  }, [live]);
  return state;
}

/**
 * The answer of a command that is asked once, and again on `reload`.
 * @param {string} command @param {Record<string, string>} [args] @param {Record<string, any>} [flags]
 */
export function useCommand(command, args = {}, flags = {}) {
  const [answer, setAnswer] = useState(
    /** @type {{ data?: any, error?: any, isLoading: boolean }} */ ({ isLoading: true }),
  );
  const [times, setTimes] = useState(0);
  const key = JSON.stringify([command, args, flags]);
  useEffect(() => {
    const abort = new AbortController();
    setAnswer(before => ({ ...before, isLoading: true }));
    run(command, args, flags, abort.signal)
      .then(({ data }) => setAnswer({ data, isLoading: false }))
      .catch(error => {
        if (!abort.signal.aborted) setAnswer({ error, isLoading: false });
      });
    return () => abort.abort();
  }, [key, times]);
  return { ...answer, reload: useCallback(() => setTimes(count => count + 1), []) };
}

/** Does something once at a time, and says what became of it. */
export function useAction() {
  const { toast } = useShared();
  const [isBusy, setBusy] = useState(false);
  const isOn = useRef(false);
  const act = useCallback(
    async (/** @type {() => Promise<any>} */ work, /** @type {string} */ done) => {
      if (isOn.current) return undefined;
      isOn.current = true;
      setBusy(true);
      try {
        const result = await work();
        if (done) toast(done);
        return result ?? true;
      } catch (error) {
        toast(String(error), 'bad');
        return undefined;
      } finally {
        isOn.current = false;
        setBusy(false);
      }
    },
    [toast],
  );
  return { isBusy, act };
}

/** The time of the gateway, moving on every few seconds. @param {number} [everyMs] */
export function useNow(everyMs = 5000) {
  const { me } = useShared();
  const offset = useRef(me.now - me.loadedAt);
  const [now, setNow] = useState(Date.now() + offset.current);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() + offset.current), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/**
 * A box that stays at its end when its owner says that there is more, until a person reads above. Where it stands does
 * not tell who moved it: what becomes smaller or changes its place moves it up as well.
 */
export function useFollowedEnd() {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const isAtEnd = useRef(true);
  const heldUntil = useRef(0);
  const follow = () => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  };
  const holdIf = isPerson => {
    if (isPerson) heldUntil.current = performance.now() + HELD_MS;
  };
  const hands = {
    onWheel: ({ deltaY }) => holdIf(deltaY < 0),
    onTouchMove: () => holdIf(true),
    onKeyDown: ({ key }) => holdIf(UPWARDS.has(key)),
    // On its scrollbar, not on what is in it.
    onPointerDown: ({ target, currentTarget }) => holdIf(target === currentTarget),
    onScroll: ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
      const below = scrollHeight - scrollTop - clientHeight;
      if (below < NEAR || performance.now() < heldUntil.current) isAtEnd.current = below < NEAR;
    },
  };
  return { box, follow, hands };
}

const NEAR = 60;
/** A movement begins soon after the hand that wants it. */
const HELD_MS = 2000;
const UPWARDS = new Set(['ArrowUp', 'PageUp', 'Home', ' ']);
