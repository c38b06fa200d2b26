import type { CalendarDay } from '#core';
import type { PanoramaPicture, TourNode, TourStore } from '#plugins/tour';

/** A panorama of a node by its date. */
export interface Capture {
  /** ISO 8601 instant. */
  readonly capturedAt: string;
  /** At the site; the address names it. Rounds take minutes, so that the nodes of one have one day. */
  readonly day: CalendarDay;
  /** Undefined until its tiles are made. */
  readonly picture: PanoramaPicture | undefined;
}

export interface Comparison {
  readonly older: Capture;
  readonly newer: Capture;
  /** Of the width, from the left, that the older one has. */
  readonly share: number;
}

/** Names of the layers that the address holds. */
const dateLayer = 'date';
const compareLayer = 'compare';

/**
 * The panoramas of a node, the latest first and one a day: two can fall on one day after the site's time zone changed.
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
 * Which date of the panoramas is shown, and with which it is compared; both stand in the address and stay while one
 * walks on. Where a node has nothing of the chosen date its latest panorama is shown, and nothing is compared. Follows
 * the store, which is observable.
 */
export class Captures {
  readonly #store: TourStore;

  constructor(store: TourStore) {
    this.#store = store;
  }

  /** Of the present node. */
  get all(): readonly Capture[] {
    const node = this.#store.currentNode;
    return node ? listCaptures(node) : [];
  }

  /** What is shown of a node: while two are compared the latest, which stands at the right. */
  shownCapture(node: TourNode): Capture {
    const all = listCaptures(node);
    const { [dateLayer]: day, [compareLayer]: compared } = this.#store.layers;
    return (compared === undefined ? all.find((capture) => capture.day === day) : undefined) ?? all[0]!;
  }

  get shown(): Capture | undefined {
    const node = this.#store.currentNode;
    return node && this.shownCapture(node);
  }

  /** Undefined where the present node has nothing of the date that is compared. */
  get comparison(): Comparison | undefined {
    const [newer, ...earlier] = this.all;
    const [day, percent] = this.#store.layers[compareLayer]?.split('~') ?? [];
    const older = earlier.find((capture) => capture.day === day);
    const share = Number(percent ?? 50) / 100;
    return newer && older
      ? { older, newer, share: Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0.5 }
      : undefined;
  }

  /** Whether a comparison is wanted, at this node or at another. */
  get comparing(): boolean {
    return this.#store.layers[compareLayer] !== undefined;
  }

  /** While two are compared an earlier one comes to stand at the left; the latest ends the comparison. */
  choose(capture: Capture): void {
    const latest = capture.day === this.all[0]?.day;
    if (this.comparing && !latest) return this.compare(capture, this.comparison?.share);
    this.#store.setLayer(compareLayer, undefined);
    this.#store.setLayer(dateLayer, latest ? undefined : capture.day);
  }

  /** With the latest one. */
  compare(older: Capture, share = 0.5): void {
    this.#store.setLayer(dateLayer, undefined);
    this.#store.setLayer(compareLayer, `${older.day}~${Number((share * 100).toFixed(1))}`);
  }

  endComparison(): void {
    this.#store.setLayer(compareLayer, undefined);
  }
}
