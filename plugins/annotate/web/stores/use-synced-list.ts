import { useEffect } from 'react';
import { useService } from '#core/web';
import { TourStore } from '#plugins/tour';

interface SyncedStore {
  readonly list: {
    readonly state: 'initial' | 'loading' | 'loaded' | 'failed';
    readonly all: readonly { readonly uid: string }[];
    follow(): () => void;
    load(location: string): Promise<void>;
    sendUnsent(): Promise<void>;
  };
  readonly selected: string | undefined;
  setPanelOpen(open: boolean): void;
  reportMissing(): void;
}

const always = (): boolean => true;

/**
 * Loads the list of a store for the location of the open tour, keeps it current, and sends unsent items when the
 * connection is back. Opens the panel if the URL selects an item and `canOpen` returns true. Reports a selected item
 * that does not exist. `canOpen` must be the same function in each render.
 */
export function useSyncedList(store: SyncedStore, canOpen: () => boolean = always): void {
  const tourStore = useService(TourStore);
  const location = tourStore.opened?.tour.location;
  const { list } = store;
  useEffect(() => {
    if (location === undefined) return undefined;
    const openLinkedItem = (): void => {
      const isLinked = store.list.all.some(({ uid }) => uid === store.selected);
      if (!isLinked && store.selected !== undefined && list.state === 'loaded') store.reportMissing();
      if (isLinked && tourStore.panel === undefined && canOpen()) store.setPanelOpen(true);
    };
    const stop = list.follow();
    void list.load(location).then(openLinkedItem);
    return stop;
  }, [store, list, tourStore, location, canOpen]);
  useEffect(() => {
    const retry = (): void => void list.sendUnsent();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [list]);
}

interface EditedList {
  beginEdit(uid: string): () => void;
}

/** Protects an item from changes by others while an editor is open. */
export function useOpenEdit(list: EditedList, uid: string, open: boolean): void {
  useEffect(() => (open ? list.beginEdit(uid) : undefined), [list, uid, open]);
}
