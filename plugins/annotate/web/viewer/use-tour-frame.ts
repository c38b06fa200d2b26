import { useEffect, useState, type RefObject } from 'react';

export interface TourFrame {
  /** What surrounds the picture and fades while nothing happens. */
  readonly chrome: HTMLElement;
  /** Around picture and chrome: for what must not fade. */
  readonly root: HTMLElement;
}

/** Where the bars of tools are placed; found from an element in the tool bar. */
export function useTourFrame(place: RefObject<HTMLElement | null>): TourFrame | undefined {
  const [frame, setFrame] = useState<TourFrame>();
  useEffect(() => {
    const chrome = place.current?.closest<HTMLElement>('[role="toolbar"]')?.parentElement;
    setFrame(chrome?.parentElement ? { chrome, root: chrome.parentElement } : undefined);
  }, [place]);
  return frame;
}
