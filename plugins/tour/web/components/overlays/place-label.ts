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
/** Maximum width of a label, pixels. Longer text is cut off; the item's row in the list shows all of it. */
const maxWidth = 260;
const minWidth = 64;

/**
 * Places a label next to its anchor within `freeArea`. It stays on `previousSide` unless it does not fit there and the
 * other side has more room, so that labels do not jump during a turn. Undefined if the anchor is outside `freeArea`.
 */
export function placeLabel(
  anchor: LabelAnchor,
  textWidth: number,
  freeArea: Box,
  previousSide: Side = 'right',
): PlacedLabel | undefined {
  const [from, to] = [anchor.from ?? anchor.x, anchor.to ?? anchor.x];
  if (
    to < freeArea.left ||
    from > freeArea.left + freeArea.width ||
    anchor.y < freeArea.top ||
    anchor.y > freeArea.top + freeArea.height
  )
    return undefined;
  const fullWidth = Math.min(maxWidth, textWidth + 2 * labelPadding);
  const [left, right] = [freeArea.left + 4, freeArea.left + freeArea.width - 4];
  const [top, bottom] = [freeArea.top + 4, freeArea.top + freeArea.height - 4 - labelHeight];
  const clampTop = (y: number): number => Math.max(top, Math.min(bottom, y));
  if (anchor.mode === 'over') {
    const width = Math.max(minWidth, Math.min(fullWidth, right - left));
    const above = anchor.y - gap - labelHeight;
    return {
      box: {
        left: Math.max(left, Math.min(right - width, anchor.x - width / 2)),
        top: clampTop(above < top ? anchor.y + gap : above),
        width,
        height: labelHeight,
      },
      side: previousSide,
      maxTextWidth: width - 2 * labelPadding,
    };
  }
  const space: Readonly<Record<Side, number>> = { left: anchor.x - gap - left, right: right - anchor.x - gap };
  const other: Side = previousSide === 'left' ? 'right' : 'left';
  const side = space[previousSide] >= fullWidth || space[previousSide] >= space[other] ? previousSide : other;
  const width = Math.max(minWidth, Math.min(fullWidth, space[side]));
  const y = anchor.level ? anchor.y - labelHeight / 2 : anchor.y - 6 - labelHeight;
  return {
    box: {
      left: side === 'right' ? anchor.x + gap : anchor.x - gap - width,
      top: clampTop(y),
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
  /** The alternative place, on the other side of the anchor. */
  readonly other?: Box | undefined;
  /** Labels of higher rank are placed first: the selected one, the one under the pointer. */
  readonly rank: number;
  /** Metres; nearer labels come first. */
  readonly distance: number;
}

/** Extra space that a hidden label needs before it is shown again, pixels. Prevents flicker. */
const returnMargin = 6;

/**
 * Chooses visible labels and their places: by rank, then those that were visible before, then the nearest. A label must
 * not overlap another one or a covered area: it moves to the other side of its anchor, or is hidden. Labels whose rank
 * is at least `always` are never hidden.
 */
export function chooseLabels(
  labels: readonly Contender[],
  shown: ReadonlySet<string>,
  covers: readonly Box[],
  always = Infinity,
): ReadonlyMap<string, Box> {
  const placed: Box[] = [];
  const chosen = new Map<string, Box>();
  const wasShown = ({ id }: Contender): number => (shown.has(id) ? 1 : 0);
  for (const label of labels.toSorted(
    (a, b) => b.rank - a.rank || wasShown(b) - wasShown(a) || a.distance - b.distance,
  )) {
    const margin = shown.has(label.id) ? 0 : returnMargin;
    const isFree = (box: Box): boolean => ![...covers, ...placed].some((each) => overlap(box, each, margin));
    const box =
      [label.box, label.other].find((each) => each !== undefined && isFree(each)) ??
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
