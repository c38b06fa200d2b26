import type { CalendarDay } from '#core';
import type { PanoramaPicture, TourNode, TourStore } from '#plugins/tour';

/** A panorama of a node by its date. */
export interface Capture {
  /** ISO 8601 instant. */
  readonly capturedAt: string;
  /** At the site; used in the address. Rounds take minutes, so that the nodes of a round share a day. */
  readonly day: CalendarDay;
  /** Undefined until its tiles are created. */
  readonly picture: PanoramaPicture | undefined;
}

export interface Comparison {
  readonly older: Capture;
  readonly newer: Capture;
  /** Share of the width, from the left, that shows the older picture. */
  readonly share: number;
}

/** Names of the address layers. */
const dateLayer = 'date';
const compareLayer = 'compare';

/**
 * The panoramas of a node, latest first and one per day. Two can have the same day after a change of the site's time
 * zone.
 */
export function listCaptures(node: TourNode): readonly Capture[] {
  const all = [node, ...node.captures];
  return all
    .filter(({ day }, index) => all.findIndex((other) => other.day === day) === index)
    .map(({ capturedAt, day, heading, picture }) => ({
      capturedAt,
      day,
      picture: picture ? { tiles: picture, heading, position: node.position } : undefined,
    }));
}

/**
 * The chosen date of the panoramas and the compared one. Both are stored in the address and stay chosen on other nodes.
 * A node without the chosen date shows its latest panorama without a comparison. Observable.
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

  /** The capture that is shown for a node. In a comparison, the latest one at the right. */
  shownCapture(node: TourNode): Capture {
    const all = listCaptures(node);
    const { [dateLayer]: day, [compareLayer]: compared } = this.#store.layers;
    return (compared === undefined ? all.find((capture) => capture.day === day) : undefined) ?? all[0]!;
  }

  get shown(): Capture | undefined {
    const node = this.#store.currentNode;
    return node && this.shownCapture(node);
  }

  /** Undefined if the current node has no panorama of the compared date. */
  get comparison(): Comparison | undefined {
    const [newer, ...earlier] = this.all;
    const [day, percent] = this.#store.layers[compareLayer]?.split('~') ?? [];
    const older = earlier.find((capture) => capture.day === day);
    const share = Number(percent ?? 50) / 100;
    return newer && older
      ? { older, newer, share: Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0.5 }
      : undefined;
  }

  /** Whether a comparison is chosen, possibly for another node. */
  get comparing(): boolean {
    return this.#store.layers[compareLayer] !== undefined;
  }

  /** During a comparison, an earlier capture becomes the left one; the latest ends the comparison. */
  choose(capture: Capture): void {
    const latest = capture.day === this.all[0]?.day;
    if (this.comparing && !latest) return this.compare(capture, this.comparison?.share);
    this.#store.setLayer(compareLayer, undefined);
    this.#store.setLayer(dateLayer, latest ? undefined : capture.day);
  }

  /** Compares with the latest capture. */
  compare(older: Capture, share = 0.5): void {
    this.#store.setLayer(dateLayer, undefined);
    this.#store.setLayer(compareLayer, `${older.day}~${Number((share * 100).toFixed(1))}`);
  }

  endComparison(): void {
    this.#store.setLayer(compareLayer, undefined);
  }
}
