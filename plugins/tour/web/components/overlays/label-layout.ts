import { reaction } from 'mobx';
import type { LabelRank, TourLayout } from '#plugins/tour';
import { chooseLabels, formatTransform, type Box, type LabelCandidate, type Side } from './place-label.ts';

export interface LayoutLabel extends LabelCandidate {
  readonly element: SVGGElement;
  /** Opacity while visible. */
  readonly opacity: number;
  /** The labelled pixel. While the pointer is near it, the label has a higher rank. */
  readonly x: number;
  readonly y: number;
}

export const rankValues = { behind: -1, usual: 0, pointed: 1, chosen: 2, making: 3 } as const satisfies Readonly<
  Record<LabelRank | 'pointed', number>
>;

/** Distance within which the pointer raises a label, pixels. */
const pointerReachPx = 18;

/** Lays out all labels of a picture. If labels overlap, the less important ones are hidden until there is space. */
export class LabelLayout {
  readonly #labels = new Map<string, LayoutLabel>();
  readonly #sides = new Map<string, Side>();
  readonly #host: HTMLElement;
  readonly #layout: TourLayout;
  #visibleIds: ReadonlySet<string> = new Set();
  #pointedId: string | undefined;
  #isScheduled = false;
  #stopTracking: (() => void) | undefined;
  /** The layer of all labels, above all shapes. */
  readonly layer = document.createElementNS('http://www.w3.org/2000/svg', 'svg');

  constructor(host: HTMLElement, layout: TourLayout) {
    this.#host = host;
    this.#layout = layout;
    const { layer } = this;
    layer.setAttribute('aria-hidden', 'true');
    layer.setAttribute('data-marks', '');
    layer.setAttribute('data-testid', 'labels');
    Object.assign(layer.style, {
      position: 'absolute',
      inset: '0',
      width: '100%',
      height: '100%',
      pointerEvents: 'none',
      overflow: 'clip',
    });
  }

  /** Observes the areas that cover the picture. Returns the function that stops observing. */
  start(): () => void {
    const dispose = reaction(
      () => this.#layout.coveredAreas,
      () => this.#scheduleLayout(),
    );
    return () => {
      dispose();
      this.layer.remove();
    };
  }

  /** The part of the picture that no bar or panel covers. */
  get freeArea(): Box {
    return this.#layout.findFreeArea(this.#host);
  }

  getSide(id: string): Side | undefined {
    return this.#sides.get(id);
  }

  set(label: LayoutLabel, side: Side): void {
    this.#labels.set(label.id, label);
    this.#sides.set(label.id, side);
    this.#scheduleLayout();
  }

  delete(id: string): void {
    this.#labels.delete(id);
    this.#scheduleLayout();
  }

  /** Lays out the labels before the next frame, once for all labels that change until then. */
  #scheduleLayout(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#updateListeners();
      if (this.#host.lastElementChild !== this.layer) this.#host.append(this.layer);
      const labels = [...this.#labels.values()].map((label) =>
        label.id === this.#pointedId && label.rank < rankValues.pointed
          ? { ...label, rank: rankValues.pointed }
          : label,
      );
      const { left, top } = this.#host.getBoundingClientRect();
      const coveredBoxes = this.#layout.coveredAreas.map((box) => ({
        ...box,
        left: box.left - left,
        top: box.top - top,
      }));
      const chosenBoxes = chooseLabels(labels, this.#visibleIds, coveredBoxes, rankValues.making);
      this.#visibleIds = new Set(chosenBoxes.keys());
      for (const { id, element, opacity, box, alternative } of labels) {
        const chosenBox = chosenBoxes.get(id);
        element.style.opacity = String(chosenBox ? opacity : 0);
        // The label prefers its new side from the next frame on.
        if (chosenBox && chosenBox === alternative) {
          this.#sides.set(id, alternative.left < box.left ? 'left' : 'right');
          element.setAttribute('transform', formatTransform(alternative));
        }
      }
    });
  }

  /** Tracks the pointer only while there are labels. */
  #updateListeners(): void {
    if (this.#labels.size === 0) {
      this.#stopTracking?.();
      this.#stopTracking = undefined;
      this.#sides.clear();
      this.#visibleIds = new Set();
    } else if (!this.#stopTracking) {
      const abort = new AbortController();
      const handlePointer = (event: PointerEvent): void => this.#updatePointed(event);
      this.#host.addEventListener('pointermove', handlePointer, { signal: abort.signal, passive: true });
      this.#host.addEventListener('pointerdown', handlePointer, { signal: abort.signal, passive: true });
      this.#stopTracking = () => abort.abort();
    }
  }

  #updatePointed({ clientX, clientY }: PointerEvent): void {
    const { left, top } = this.#host.getBoundingClientRect();
    let nearest: string | undefined;
    let nearestDistance = pointerReachPx;
    for (const { id, x, y } of this.#labels.values()) {
      const distance = Math.hypot(x + left - clientX, y + top - clientY);
      if (distance < nearestDistance) [nearest, nearestDistance] = [id, distance];
    }
    if (nearest === this.#pointedId) return;
    this.#pointedId = nearest;
    this.#scheduleLayout();
  }
}
