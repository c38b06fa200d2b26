import type { LabelAnchor } from '#plugins/tour';

/** A rectangle in pixels from the top left corner of the picture. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type Side = 'left' | 'right';

export interface PlacedLabel {
  readonly box: Box;
  /** The side of the anchor on which the label is; only for the mode `beside`. */
  readonly side: Side;
  /** Maximum width of the text, pixels. */
  readonly maxTextWidth: number;
}

export const labelHeightPx = 22;
/** Padding to the left and right of the text. */
export const labelPaddingPx = 6;
const anchorGapPx = 10;
/** Minimum distance of a label from the edges of the free area. */
const edgeGapPx = 4;
/** Maximum width of a label. Longer text is shortened. A list in the panel shows the whole text. */
const maxWidthPx = 260;
const minWidthPx = 64;

/**
 * Places a label next to its anchor within `freeArea`. Keeps `previousSide` if the label fits there or the other side
 * has less space, so that labels do not jump during a turn. Undefined if the anchor is outside `freeArea`.
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
  const fullWidth = Math.min(maxWidthPx, textWidth + 2 * labelPaddingPx);
  const [left, right] = [freeArea.left + edgeGapPx, freeArea.left + freeArea.width - edgeGapPx];
  const [top, bottom] = [freeArea.top + edgeGapPx, freeArea.top + freeArea.height - edgeGapPx - labelHeightPx];
  const clampTop = (y: number): number => Math.max(top, Math.min(bottom, y));
  if (anchor.mode === 'over') {
    const width = Math.max(minWidthPx, Math.min(fullWidth, right - left));
    const above = anchor.y - anchorGapPx - labelHeightPx;
    return {
      box: {
        left: Math.max(left, Math.min(right - width, anchor.x - width / 2)),
        top: clampTop(above < top ? anchor.y + anchorGapPx : above),
        width,
        height: labelHeightPx,
      },
      side: previousSide,
      maxTextWidth: width - 2 * labelPaddingPx,
    };
  }
  const space: Readonly<Record<Side, number>> = {
    left: anchor.x - anchorGapPx - left,
    right: right - anchor.x - anchorGapPx,
  };
  const alternative: Side = previousSide === 'left' ? 'right' : 'left';
  const side =
    space[previousSide] >= fullWidth || space[previousSide] >= space[alternative] ? previousSide : alternative;
  const width = Math.max(minWidthPx, Math.min(fullWidth, space[side]));
  const y = anchor.level ? anchor.y - labelHeightPx / 2 : anchor.y - 6 - labelHeightPx;
  return {
    box: {
      left: side === 'right' ? anchor.x + anchorGapPx : anchor.x - anchorGapPx - width,
      top: clampTop(y),
      width,
      height: labelHeightPx,
    },
    side,
    maxTextWidth: width - 2 * labelPaddingPx,
  };
}

export interface LabelCandidate {
  readonly id: string;
  readonly box: Box;
  /** The alternative box, on the other side of the anchor. */
  readonly alternative?: Box | undefined;
  /** Labels of higher rank are placed first, such as the selected label. */
  readonly rank: number;
  /** Distance from the eye in metres. Nearer labels come first. */
  readonly distance: number;
}

/** Extra space that a hidden label needs before it is shown again. Prevents flicker. */
const returnMarginPx = 6;

/**
 * Chooses the visible labels and their boxes by rank, then by previous visibility, then by distance. A label that would
 * overlap another one or a covered area moves to the other side of its anchor or is hidden. Labels whose rank is at
 * least `minAlwaysVisibleRank` are never hidden.
 */
export function chooseLabels(
  labels: readonly LabelCandidate[],
  previouslyVisible: ReadonlySet<string>,
  coveredBoxes: readonly Box[],
  minAlwaysVisibleRank = Infinity,
): ReadonlyMap<string, Box> {
  const placedBoxes: Box[] = [];
  const boxById = new Map<string, Box>();
  const wasVisible = ({ id }: LabelCandidate): number => (previouslyVisible.has(id) ? 1 : 0);
  for (const label of labels.toSorted(
    (a, b) => b.rank - a.rank || wasVisible(b) - wasVisible(a) || a.distance - b.distance,
  )) {
    const margin = previouslyVisible.has(label.id) ? 0 : returnMarginPx;
    const isFree = (box: Box): boolean =>
      ![...coveredBoxes, ...placedBoxes].some((occupiedBox) => doOverlap(box, occupiedBox, margin));
    const box =
      [label.box, label.alternative].find((candidate) => candidate !== undefined && isFree(candidate)) ??
      (label.rank >= minAlwaysVisibleRank ? label.box : undefined);
    if (!box) continue;
    placedBoxes.push(box);
    boxById.set(label.id, box);
  }
  return boxById;
}

/** Formats the SVG transform that moves a group to the top left corner of the box. */
export const formatTransform = ({ left, top }: Box): string => `translate(${left.toFixed(1)} ${top.toFixed(1)})`;

const doOverlap = (a: Box, b: Box, margin: number): boolean =>
  a.left < b.left + b.width + margin &&
  b.left < a.left + a.width + margin &&
  a.top < b.top + b.height + margin &&
  b.top < a.top + a.height + margin;
