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
        // Words that nobody could take, or none where another tour was opened.
        store.setLayer(name, chosen());
      },
    ),
    reaction(chosen, (words) => store.setLayer(name, words), { fireImmediately: true }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
