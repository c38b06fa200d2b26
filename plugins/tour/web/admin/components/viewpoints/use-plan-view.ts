import { reaction } from 'mobx';
import { useEffect, type RefObject } from 'react';
import type { PlanView } from '../../stores/plan-view.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';

const wheelFactor = 1.0015;

/** Updates a view with the size of its element and the shown deck, and zooms it by the wheel. */
export function usePlanView(root: RefObject<HTMLElement | null>, view: PlanView, editor: ViewpointEditor): void {
  useEffect(
    () =>
      reaction(
        () => ({ deck: editor.deck, saved: editor.saved }),
        (deckState) => view.show(deckState),
        { fireImmediately: true },
      ),
    [view, editor],
  );
  useEffect(() => {
    const { current } = root;
    if (!current) return undefined;
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = current;
      if (width > 0 && height > 0) view.setSize({ width, height });
    };
    measure();
    const resizeObserver = new ResizeObserver(measure);
    resizeObserver.observe(current);
    // React adds wheel listeners as passive, so the page would scroll, too.
    const zoom = (event: WheelEvent): void => {
      event.preventDefault();
      const { left, top } = current.getBoundingClientRect();
      view.zoom(wheelFactor ** -event.deltaY, { x: event.clientX - left, y: event.clientY - top });
    };
    current.addEventListener('wheel', zoom, { passive: false });
    return () => {
      resizeObserver.disconnect();
      current.removeEventListener('wheel', zoom);
    };
  }, [root, view]);
}
