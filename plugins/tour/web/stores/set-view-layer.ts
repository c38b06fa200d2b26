import { reaction } from 'mobx';
import type { TourStore } from '#plugins/tour';

/** See `TourStore.setViewLayer`. */
export function setViewLayer(
  store: Pick<TourStore, 'layers' | 'setLayer'>,
  name: string,
  chosen: () => string | undefined,
  take: (words: string | undefined) => void,
): () => void {
  if (store.layers[name] !== undefined) take(store.layers[name]);
  const ends = [
    reaction(
      () => store.layers[name],
      (words) => {
        if (words !== chosen()) take(words);
        // Replaces a value that could not be applied, or that another tour has removed.
        store.setLayer(name, chosen());
      },
    ),
    reaction(chosen, (words) => store.setLayer(name, words), { fireImmediately: true }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
