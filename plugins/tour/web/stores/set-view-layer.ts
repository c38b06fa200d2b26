import { reaction } from 'mobx';
import type { TourStore } from '#plugins/tour';

/** @see TourStore.setViewLayer */
export function setViewLayer(
  store: Pick<TourStore, 'layers' | 'setLayer' | 'reportMissing'>,
  name: string,
  getValue: () => string | undefined,
  applyValue: (value: string | undefined) => void,
): () => void {
  const linkedValue = store.layers[name];
  if (linkedValue !== undefined) {
    const previous = getValue();
    applyValue(linkedValue);
    if (linkedValue !== previous && getValue() === previous)
      store.reportMissing({ message: 'tour.link.layer', values: { name } });
  }
  const disposers = [
    reaction(
      () => store.layers[name],
      (value) => {
        if (value !== getValue()) applyValue(value);
        // Corrects the layer if the value could not be applied, or if opening another tour has removed the layer.
        store.setLayer(name, getValue());
      },
    ),
    reaction(getValue, (value) => store.setLayer(name, value), { fireImmediately: true }),
  ];
  return () => {
    for (const dispose of disposers) dispose();
  };
}
