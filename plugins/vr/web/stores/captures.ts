import type { CalendarDay } from '#core';
import type { PanoramaPicture, TourNode, TourStore } from '#plugins/tour';
import { toPicture } from './to-picture.ts';

/** A panorama that was taken at a node on a day. */
export interface Capture {
  /** Instant in ISO 8601. */
  readonly capturedAt: string;
  /** The day at the site, which selects the panoramas of all nodes that were captured on it. */
  readonly day: CalendarDay;
  /** Undefined until the tiles of the picture are created. */
  readonly picture: PanoramaPicture | undefined;
}

export interface Comparison {
  readonly older: Capture;
  readonly newer: Capture;
  /** Share of the width, from the left, that shows the older picture. */
  readonly fraction: number;
}

/** Names of the view layers in the URL. */
const dateLayer = 'date';
const compareLayer = 'compare';

/**
 * Lists the panoramas of a node, latest first and one per day. After a change of the site's time zone, two panoramas
 * may have the same day.
 */
export function listCaptures(node: TourNode): readonly Capture[] {
  const all = [node, ...node.captures];
  return all
    .filter(({ day }, index) => all.findIndex((candidate) => candidate.day === day) === index)
    .map((capture) => ({ capturedAt: capture.capturedAt, day: capture.day, picture: toPicture(node, capture) }));
}

/**
 * The observable date of the shown panoramas and the date that they are compared with. The URL stores both for all
 * nodes. A node without a panorama of the date shows its latest panorama and no comparison.
 */
export class Captures {
  readonly #store: TourStore;

  constructor(store: TourStore) {
    this.#store = store;
  }

  /** Captures of the current node. */
  get all(): readonly Capture[] {
    const node = this.#store.currentNode;
    return node ? listCaptures(node) : [];
  }

  /** Returns the capture that a node shows. In a comparison, this is the latest capture, on the right. */
  getCapture(node: TourNode): Capture {
    const all = listCaptures(node);
    const { [dateLayer]: day, [compareLayer]: comparison } = this.#store.layers;
    return (comparison === undefined ? all.find((capture) => capture.day === day) : undefined) ?? all[0]!;
  }

  /** The capture that the current node shows. */
  get current(): Capture | undefined {
    const node = this.#store.currentNode;
    return node && this.getCapture(node);
  }

  /** The comparison, if the current node has a panorama of the compared date. */
  get comparison(): Comparison | undefined {
    const [newer, ...earlier] = this.all;
    const [day, percent] = this.#store.layers[compareLayer]?.split('~') ?? [];
    const older = earlier.find((capture) => capture.day === day);
    const fraction = Number(percent ?? 50) / 100;
    return newer && older
      ? { older, newer, fraction: Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : 0.5 }
      : undefined;
  }

  /** The dates in the URL for which no node of the tour has a panorama. */
  get missingDays(): readonly string[] {
    // A large tour may not have loaded its distant nodes yet.
    if (!this.#store.opened?.complete) return [];
    const { [dateLayer]: day, [compareLayer]: comparison } = this.#store.layers;
    return [day, comparison?.split('~')[0]].filter(
      (missingDay): missingDay is string =>
        missingDay !== undefined &&
        !this.#store.nodes.some((node) => listCaptures(node).some((capture) => capture.day === missingDay)),
    );
  }

  /** Whether the URL has a comparison, even if the current node has no panorama for it. */
  get isComparing(): boolean {
    return this.#store.layers[compareLayer] !== undefined;
  }

  /** Shows a capture. During a comparison, compares an earlier capture, or ends the comparison for the latest one. */
  choose(capture: Capture): void {
    const isLatest = capture.day === this.all[0]?.day;
    if (this.isComparing && !isLatest) return this.compare(capture, this.comparison?.fraction);
    this.#store.setLayer(compareLayer, undefined);
    this.#store.setLayer(dateLayer, isLatest ? undefined : capture.day);
  }

  /** Compares an earlier capture with the latest one. */
  compare(older: Capture, fraction = 0.5): void {
    this.#store.setLayer(dateLayer, undefined);
    this.#store.setLayer(compareLayer, `${older.day}~${Number((fraction * 100).toFixed(1))}`);
  }

  endComparison(): void {
    this.#store.setLayer(compareLayer, undefined);
  }
}
