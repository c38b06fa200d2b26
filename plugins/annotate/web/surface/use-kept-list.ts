import { useEffect, type RefObject, useState } from 'react';

interface KeptList {
  load(location: string): Promise<void>;
  sendWaiting(): Promise<void>;
}

/**
 * Loads a list for the location of the open tour, and sends what is unsent when the line is back. `onLoaded` is called
 * once it has come; a stable function.
 */
export function useKeptList(list: KeptList, location: string | undefined, onLoaded?: () => void): void {
  useEffect(() => {
    if (location !== undefined) void list.load(location).then(onLoaded);
  }, [list, location, onLoaded]);
  useEffect(() => {
    const again = (): void => void list.sendWaiting();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [list]);
}

export interface TourFrame {
  /** What surrounds the picture and fades while nothing happens: for panels. */
  readonly chrome: HTMLElement;
  /** Around picture and chrome: for what must not fade. */
  readonly root: HTMLElement;
}

/** Where bars and panels of tools are laid; found from an element in the tool bar. */
export function useTourFrame(place: RefObject<HTMLElement | null>): TourFrame | undefined {
  const [frame, setFrame] = useState<TourFrame>();
  useEffect(() => {
    const chrome = place.current?.closest<HTMLElement>('[role="toolbar"]')?.parentElement;
    setFrame(chrome?.parentElement ? { chrome, root: chrome.parentElement } : undefined);
  }, [place]);
  return frame;
}
