import { useEffect, type RefObject, useState } from 'react';

interface SyncedItems {
  follow(): () => void;
  load(location: string): Promise<void>;
  sendWaiting(): Promise<void>;
}

/**
 * Loads a list for the location of the open tour, keeps it current, and sends what is unsent when the line is back.
 * `onLoaded` is called once it has come; a stable function.
 */
export function useSyncedList(list: SyncedItems, location: string | undefined, onLoaded?: () => void): void {
  useEffect(() => {
    if (location === undefined) return undefined;
    const end = list.follow();
    void list.load(location).then(onLoaded);
    return end;
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

interface EditedList {
  beginEdit(uid: string): () => void;
}

/** While an editor of an item is open the list keeps the item as it was opened. */
export function useOpenEdit(list: EditedList, uid: string, open: boolean): void {
  useEffect(() => (open ? list.beginEdit(uid) : undefined), [list, uid, open]);
}
