import type { LabelAnchor } from '#plugins/tour';

/** Pixels from the top left corner of the picture. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type Side = 'left' | 'right';

export interface PlacedLabel {
  readonly box: Box;
  /** For `beside`. */
  readonly side: Side;
  /** Maximum width of the text, pixels. */
  readonly maxTextWidth: number;
}

export const labelHeight = 22;
/** Padding to the left and right of the text, pixels. */
export const labelPadding = 6;
const gap = 10;
/** Maximum width of a label, pixels. The list shows the full text. */
const maxWidth = 260;
const minWidth = 64;

/**
 * Places a label of a width at its anchor within the free part of a picture. It keeps its previous side (`before`) as
 * long as it fits, so that labels do not jump during a turn. Undefined if the anchor itself is covered.
 */
export function placeLabel(
  anchor: LabelAnchor,
  textWidth: number,
  free: Box,
  before: Side = 'right',
): PlacedLabel | undefined {
  const [from, to] = [anchor.from ?? anchor.x, anchor.to ?? anchor.x];
  if (to < free.left || from > free.left + free.width || anchor.y < free.top || anchor.y > free.top + free.height)
    return undefined;
  const fullWidth = Math.min(maxWidth, textWidth + 2 * labelPadding);
  const [left, right] = [free.left + 4, free.left + free.width - 4];
  const [top, bottom] = [free.top + 4, free.top + free.height - 4 - labelHeight];
  const inHeight = (y: number): number => Math.max(top, Math.min(bottom, y));
  if (anchor.mode === 'over') {
    const width = Math.max(minWidth, Math.min(fullWidth, right - left));
    const above = anchor.y - gap - labelHeight;
    return {
      box: {
        left: Math.max(left, Math.min(right - width, anchor.x - width / 2)),
        top: inHeight(above < top ? anchor.y + gap : above),
        width,
        height: labelHeight,
      },
      side: before,
      maxTextWidth: width - 2 * labelPadding,
    };
  }
  const space: Readonly<Record<Side, number>> = { left: anchor.x - gap - left, right: right - anchor.x - gap };
  const other: Side = before === 'left' ? 'right' : 'left';
  const side = space[before] >= fullWidth || space[before] >= space[other] ? before : other;
  const width = Math.max(minWidth, Math.min(fullWidth, space[side]));
  const y = anchor.level ? anchor.y - labelHeight / 2 : anchor.y - 6 - labelHeight;
  return {
    box: {
      left: side === 'right' ? anchor.x + gap : anchor.x - gap - width,
      top: inHeight(y),
      width,
      height: labelHeight,
    },
    side,
    maxTextWidth: width - 2 * labelPadding,
  };
}

export interface Contender {
  readonly id: string;
  readonly box: Box;
  /** The alternative place, on the other side of the mark. */
  readonly other?: Box | undefined;
  /** Higher ranks come first: selected, under the pointer. */
  readonly rank: number;
  /** Metres; nearer labels come first. */
  readonly distance: number;
}

/** Space around a hidden label before it is shown again, pixels. Prevents flicker. */
const returnMargin = 6;

/**
 * Chooses visible labels and their places: by rank, then those that were visible before, then the nearest. A label must
 * not overlap another one or a covered area; otherwise it moves to the other side of its mark. Ranks from `always` on
 * are visible in any case.
 */
export function chooseLabels(
  labels: readonly Contender[],
  shown: ReadonlySet<string>,
  covers: readonly Box[],
  always = Infinity,
): ReadonlyMap<string, Box> {
  const placed: Box[] = [];
  const chosen = new Map<string, Box>();
  const before = ({ id }: Contender): number => (shown.has(id) ? 1 : 0);
  for (const label of labels.toSorted((a, b) => b.rank - a.rank || before(b) - before(a) || a.distance - b.distance)) {
    const margin = shown.has(label.id) ? 0 : returnMargin;
    const free = (box: Box): boolean => ![...covers, ...placed].some((each) => overlap(box, each, margin));
    const box =
      [label.box, label.other].find((each) => each !== undefined && free(each)) ??
      (label.rank >= always ? label.box : undefined);
    if (!box) continue;
    placed.push(box);
    chosen.set(label.id, box);
  }
  return chosen;
}

/** SVG transform of a group that is drawn from its top left corner. */
export const formatTransform = ({ left, top }: Box): string => `translate(${left.toFixed(1)} ${top.toFixed(1)})`;

const overlap = (a: Box, b: Box, margin: number): boolean =>
  a.left < b.left + b.width + margin &&
  b.left < a.left + a.width + margin &&
  a.top < b.top + b.height + margin &&
  b.top < a.top + a.height + margin;
