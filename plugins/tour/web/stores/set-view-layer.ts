import { reaction } from 'mobx';
import type { TourStore } from '#plugins/tour';

/** @see TourStore.setViewLayer */
export function setViewLayer(
  store: Pick<TourStore, 'layers' | 'setLayer'>,
  name: string,
  getValue: () => string | undefined,
  applyValue: (value: string | undefined) => void,
): () => void {
  if (store.layers[name] !== undefined) applyValue(store.layers[name]);
  const disposers = [
    reaction(
      () => store.layers[name],
      (value) => {
        if (value !== getValue()) applyValue(value);
        // Corrects the layer if the value could not be applied, or if another tour has removed it.
        store.setLayer(name, getValue());
      },
    ),
    reaction(getValue, (value) => store.setLayer(name, value), { fireImmediately: true }),
  ];
  return () => {
    for (const dispose of disposers) dispose();
  };
}
