import { reaction } from 'mobx';
import type { TourStore } from '#plugins/tour';

/** See `TourStore.setViewLayer`. */
export function setViewLayer(
  store: Pick<TourStore, 'layers' | 'setLayer'>,
  name: string,
  chosen: () => string | undefined,
  take: (value: string | undefined) => void,
): () => void {
  if (store.layers[name] !== undefined) take(store.layers[name]);
  const ends = [
    reaction(
      () => store.layers[name],
      (value) => {
        if (value !== chosen()) take(value);
        // Replaces a value that could not be applied, or that another tour has removed.
        store.setLayer(name, chosen());
      },
    ),
    reaction(chosen, (value) => store.setLayer(name, value), { fireImmediately: true }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
