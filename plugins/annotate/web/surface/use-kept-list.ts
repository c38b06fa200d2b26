import { useEffect, type RefObject, useState } from 'react';

interface KeptList {
  load(location: string): Promise<void>;
  sendAgain(): Promise<void>;
}

/** Loads a list for the location of the open tour, and sends what is unsent when the line is back. `onLoaded` is called once it has come; a stable function. */
export function useKeptList(list: KeptList, location: string | undefined, onLoaded?: () => void): void {
  useEffect(() => {
    if (location !== undefined) void list.load(location).then(onLoaded);
  }, [list, location, onLoaded]);
  useEffect(() => {
    const again = (): void => void list.sendAgain();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [list]);
}

/** What surrounds the picture, where bars and panels of tools are laid; found from an element in the tool bar. */
export function useTourFrame(place: RefObject<HTMLElement | null>): HTMLElement | undefined {
  const [frame, setFrame] = useState<HTMLElement>();
  useEffect(() => setFrame(place.current?.closest<HTMLElement>('[role="toolbar"]')?.parentElement ?? undefined), [place]);
  return frame;
}
