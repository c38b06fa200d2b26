import { useCallback, useEffect, useRef, useState } from 'react';

/** What was asked of the server, and how that stands. What came before stays while it is asked anew. */
export interface Called<T> {
  readonly state: 'loading' | 'loaded' | 'failed';
  readonly value: T | undefined;
  /** What was thrown, where `state` is `failed`. */
  readonly failure: unknown;
  /** Asks anew; resolves when the answer is here. Never rejects. */
  reload(): Promise<void>;
}

/**
 * Asks for something when a component appears and whenever `key` changes; undefined asks for nothing. Of several
 * answers the one that was asked for last counts.
 */
export function useCall<T>(key: string | undefined, call: (signal: AbortSignal) => Promise<T>): Called<T> {
  const [held, setHeld] = useState<{
    readonly key: string | undefined;
    readonly state: Called<T>['state'];
    readonly value: T | undefined;
    readonly failure: unknown;
  }>({ key, state: 'loading', value: undefined, failure: undefined });
  const latest = useRef(call);
  const running = useRef<AbortController>(undefined);
  useEffect(() => {
    latest.current = call;
  });
  const ask = useCallback(async (): Promise<void> => {
    running.current?.abort();
    if (key === undefined) return;
    const controller = new AbortController();
    running.current = controller;
    try {
      const value = await latest.current(controller.signal);
      if (!controller.signal.aborted) setHeld({ key, state: 'loaded', value, failure: undefined });
    } catch (failure) {
      if (!controller.signal.aborted)
        setHeld((before) => ({ key, state: 'failed', value: before.key === key ? before.value : undefined, failure }));
    }
  }, [key]);
  useEffect(() => {
    void ask();
    return () => running.current?.abort();
  }, [ask]);
  const reload = useCallback(async (): Promise<void> => {
    setHeld((before) =>
      before.state === 'failed' && before.value === undefined ? { ...before, state: 'loading' } : before,
    );
    await ask();
  }, [ask]);
  const own = held.key === key;
  return {
    state: own ? held.state : 'loading',
    value: own ? held.value : undefined,
    failure: own ? held.failure : undefined,
    reload,
  };
}
