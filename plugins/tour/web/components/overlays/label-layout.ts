import { reaction } from 'mobx';
import type { LabelRank, TourLayout } from '#plugins/tour';
import { chooseLabels, formatTransform, type Box, type Contender, type Side } from './place-label.ts';

export interface LayoutLabel extends Contender {
  readonly element: SVGGElement;
  /** Opacity while visible. */
  readonly opacity: number;
  /** The labelled pixel. When the pointer is near it, the label comes first. */
  readonly x: number;
  readonly y: number;
}

export const ranks = { behind: -1, usual: 0, pointed: 1, chosen: 2, making: 3 } as const satisfies Readonly<
  Record<LabelRank | 'pointed', number>
>;

/** Distance at which the pointer selects a mark, pixels. */
const pointerReach = 18;

/** Lays out all labels of a picture. When labels overlap, the less important ones are hidden until there is room. */
export class LabelLayout {
  readonly #labels = new Map<string, LayoutLabel>();
  readonly #sides = new Map<string, Side>();
  readonly #host: HTMLElement;
  readonly #layout: TourLayout;
  #shown: ReadonlySet<string> = new Set();
  #pointed: string | undefined;
  #due = false;
  #stop: (() => void) | undefined;
  /** Labels are above all marks. */
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
      overflow: 'hidden',
    });
  }

  /** Observes the areas that cover the picture. Returns the function that stops it. */
  start(): () => void {
    const end = reaction(
      () => this.#layout.covers,
      () => this.#arrange(),
    );
    return () => {
      end();
      this.layer.remove();
    };
  }

  /** The part of the picture that is free from edge to edge. */
  get free(): Box {
    return this.#layout.freeIn(this.#host);
  }

  getSide(id: string): Side | undefined {
    return this.#sides.get(id);
  }

  set(label: LayoutLabel, side: Side): void {
    this.#labels.set(label.id, label);
    this.#sides.set(label.id, side);
    this.#arrange();
  }

  delete(id: string): void {
    this.#labels.delete(id);
    this.#arrange();
  }

  /** Runs once per frame for all changed labels, before it is drawn. */
  #arrange(): void {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      this.#listen();
      if (this.#host.lastElementChild !== this.layer) this.#host.append(this.layer);
      const labels = [...this.#labels.values()].map((label) =>
        label.id === this.#pointed && label.rank < ranks.pointed ? { ...label, rank: ranks.pointed } : label,
      );
      const { left, top } = this.#host.getBoundingClientRect();
      const covers = this.#layout.covers.map((box) => ({ ...box, left: box.left - left, top: box.top - top }));
      const chosen = chooseLabels(labels, this.#shown, covers, ranks.making);
      this.#shown = new Set(chosen.keys());
      for (const { id, element, opacity, box, other } of labels) {
        const place = chosen.get(id);
        element.style.opacity = String(place ? opacity : 0);
        // The label keeps its new side from the next frame, as long as there is room.
        if (place && place === other) {
          this.#sides.set(id, other.left < box.left ? 'left' : 'right');
          element.setAttribute('transform', formatTransform(other));
        }
      }
    });
  }

  /** Tracks the pointer only while there are labels. */
  #listen(): void {
    if (this.#labels.size === 0) {
      this.#stop?.();
      this.#stop = undefined;
      this.#sides.clear();
      this.#shown = new Set();
    } else if (!this.#stop) {
      const ending = new AbortController();
      const follow = (event: PointerEvent): void => this.#point(event);
      this.#host.addEventListener('pointermove', follow, { signal: ending.signal, passive: true });
      this.#host.addEventListener('pointerdown', follow, { signal: ending.signal, passive: true });
      this.#stop = () => ending.abort();
    }
  }

  #point({ clientX, clientY }: PointerEvent): void {
    const { left, top } = this.#host.getBoundingClientRect();
    let nearest: string | undefined;
    let minDistance = pointerReach;
    for (const { id, x, y } of this.#labels.values()) {
      const distance = Math.hypot(x + left - clientX, y + top - clientY);
      if (distance < minDistance) [nearest, minDistance] = [id, distance];
    }
    if (nearest === this.#pointed) return;
    this.#pointed = nearest;
    this.#arrange();
  }
}
