import { useCallback, useEffect, useRef, useState } from 'react';

export const pageSize = 200;

/** A long list of which only the pages in sight are fetched. */
export interface Pages<P> {
  /** Of the page that came last; undefined before the first. */
  readonly latest: P | undefined;
  readonly pages: ReadonlyMap<number, P>;
  readonly failure: unknown;
  /** Fetches the pages of these rows where they are not here. */
  need(firstRow: number, lastRow: number): void;
  /** Forgets all and fetches what is in sight. */
  reload(): void;
}

/** `key` names what is asked for: another one begins anew. */
export function usePages<P>(key: string, fetchPage: (page: number, signal: AbortSignal) => Promise<P>): Pages<P> {
  const [held, setHeld] = useState<{
    readonly key: string;
    readonly latest: P | undefined;
    readonly pages: ReadonlyMap<number, P>;
    readonly failure: unknown;
  }>({ key, latest: undefined, pages: new Map(), failure: undefined });
  const [round, setRound] = useState(0);
  const fetcher = useRef(fetchPage);
  useEffect(() => {
    fetcher.current = fetchPage;
  });
  const asked = useRef({
    pages: new Set<number>(),
    controller: new AbortController(),
    range: [0, 0] as readonly [number, number],
  });

  const ask = useCallback((): void => {
    const { pages, controller, range } = asked.current;
    for (let page = range[0]; page <= range[1]; page++) {
      if (pages.has(page)) continue;
      pages.add(page);
      fetcher.current(page, controller.signal).then(
        (value) => {
          if (!controller.signal.aborted)
            setHeld((before) => ({
              key,
              latest: value,
              pages: new Map(before.key === key ? before.pages : []).set(page, value),
              failure: undefined,
            }));
        },
        (failure: unknown) => {
          pages.delete(page);
          if (!controller.signal.aborted)
            setHeld((before) => ({
              ...(before.key === key ? before : { key, latest: undefined, pages: new Map<number, P>() }),
              failure,
            }));
        },
      );
    }
  }, [key]);

  useEffect(() => {
    const controller = new AbortController();
    asked.current = { pages: new Set(), controller, range: asked.current.range };
    ask();
    return () => controller.abort();
  }, [ask, round]);

  const need = useCallback(
    (firstRow: number, lastRow: number): void => {
      asked.current = {
        ...asked.current,
        range: [Math.floor(Math.max(0, firstRow) / pageSize), Math.floor(Math.max(0, lastRow) / pageSize)],
      };
      ask();
    },
    [ask],
  );
  const reload = useCallback((): void => setRound((before) => before + 1), []);
  const own = held.key === key ? held : { latest: undefined, pages: new Map<number, P>(), failure: undefined };
  return { latest: own.latest, pages: own.pages, failure: own.failure, need, reload };
}
