import type { LabelAnchor } from '#plugins/tour';

/** Pixels, from the left top corner of the picture. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type Side = 'left' | 'right';

export interface PlacedLabel {
  readonly box: Box;
  /** Of `beside`. */
  readonly side: Side;
  /** The most that its words may take, pixels. */
  readonly room: number;
}

export const labelHeight = 22;
/** On either side of the words. */
export const labelPadding = 6;
const gap = 10;
/** Longer words are for the list. */
const widest = 260;
const narrowest = 64;

/**
 * Where words of a width stand by their anchor within the part of a picture that nothing covers. They keep to the side
 * that they had (`before`) as long as they fit there, so that they do not jump to and fro while one turns. Undefined
 * where the anchor itself is covered.
 */
export function placeLabel(
  anchor: LabelAnchor,
  words: number,
  free: Box,
  before: Side = 'right',
): PlacedLabel | undefined {
  const [from, to] = [anchor.from ?? anchor.x, anchor.to ?? anchor.x];
  if (to < free.left || from > free.left + free.width || anchor.y < free.top || anchor.y > free.top + free.height)
    return undefined;
  const wanted = Math.min(widest, words + 2 * labelPadding);
  const [left, right] = [free.left + 4, free.left + free.width - 4];
  const [top, bottom] = [free.top + 4, free.top + free.height - 4 - labelHeight];
  const inHeight = (y: number): number => Math.max(top, Math.min(bottom, y));
  if (anchor.mode === 'over') {
    const width = Math.max(narrowest, Math.min(wanted, right - left));
    const above = anchor.y - gap - labelHeight;
    return {
      box: {
        left: Math.max(left, Math.min(right - width, anchor.x - width / 2)),
        top: inHeight(above < top ? anchor.y + gap : above),
        width,
        height: labelHeight,
      },
      side: before,
      room: width - 2 * labelPadding,
    };
  }
  const rooms: Readonly<Record<Side, number>> = { left: anchor.x - gap - left, right: right - anchor.x - gap };
  const other: Side = before === 'left' ? 'right' : 'left';
  const side = rooms[before] >= wanted || rooms[before] >= rooms[other] ? before : other;
  const width = Math.max(narrowest, Math.min(wanted, rooms[side]));
  const y = anchor.level ? anchor.y - labelHeight / 2 : anchor.y - 6 - labelHeight;
  return {
    box: {
      left: side === 'right' ? anchor.x + gap : anchor.x - gap - width,
      top: inHeight(y),
      width,
      height: labelHeight,
    },
    side,
    room: width - 2 * labelPadding,
  };
}

export interface Contender {
  readonly id: string;
  readonly box: Box;
  /** Where it may stand instead: on the other side of its mark. */
  readonly other?: Box | undefined;
  /** Higher comes first: chosen, pointed at. */
  readonly rank: number;
  /** Metres; nearer comes first. */
  readonly distance: number;
}

/**
 * A label that was hidden comes back only where it has this much room around it, pixels: on a border it would flicker.
 */
const returning = 6;

/**
 * Which labels show, and where: by rank, then those that showed before, then the nearest, each where it lies on no
 * other one and under nothing that covers the picture. One that cannot stand where it belongs stands on the other side,
 * where there is room. Those of a rank from `always` on show whatever lies there.
 */
export function chooseLabels(
  labels: readonly Contender[],
  shown: ReadonlySet<string>,
  covers: readonly Box[],
  always = Infinity,
): ReadonlyMap<string, Box> {
  const kept: Box[] = [];
  const chosen = new Map<string, Box>();
  const before = ({ id }: Contender): number => (shown.has(id) ? 1 : 0);
  for (const label of labels.toSorted((a, b) => b.rank - a.rank || before(b) - before(a) || a.distance - b.distance)) {
    const margin = shown.has(label.id) ? 0 : returning;
    const free = (box: Box): boolean => ![...covers, ...kept].some((each) => overlap(box, each, margin));
    const box =
      [label.box, label.other].find((each) => each !== undefined && free(each)) ??
      (label.rank >= always ? label.box : undefined);
    if (!box) continue;
    kept.push(box);
    chosen.set(label.id, box);
  }
  return chosen;
}

/** Of what is drawn in a box from its left top corner. */
export const formatTransform = ({ left, top }: Box): string => `translate(${left.toFixed(1)} ${top.toFixed(1)})`;

const overlap = (a: Box, b: Box, margin: number): boolean =>
  a.left < b.left + b.width + margin &&
  b.left < a.left + a.width + margin &&
  a.top < b.top + b.height + margin &&
  b.top < a.top + a.height + margin;
