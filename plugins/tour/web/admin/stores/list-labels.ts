import type { DrawingPoint } from './plan-frame.ts';

interface LabelledNode {
  readonly uid: string;
  readonly code: string;
}

/** Where a code stands beside its mark, and its size, pixels. */
export const labelPx = { x: 18, height: 16, perLetter: 8 } as const;

/**
 * Uids of the viewpoints whose codes are shown: as many as do not cover each other, the selected ones first.
 *
 * @param places of the viewpoints, in units of the drawing
 */
export function listLabels(
  nodes: readonly LabelledNode[],
  places: ReadonlyMap<string, DrawingPoint>,
  selected: ReadonlySet<string>,
  unitsPerPx: number,
): ReadonlySet<string> {
  const shown = new Set<string>();
  /** The right end of the labels by line and start, so that each label is compared with near ones only. */
  const occupied = new Map<number, { readonly left: number; readonly right: number; readonly y: number }[]>();
  const inOrder = [...nodes.filter(({ uid }) => selected.has(uid)), ...nodes.filter(({ uid }) => !selected.has(uid))];
  for (const { uid, code } of inOrder) {
    const place = places.get(uid);
    if (!place) continue;
    const left = place.x / unitsPerPx + labelPx.x;
    const right = left + code.length * labelPx.perLetter;
    const y = place.y / unitsPerPx;
    const line = Math.floor(y / labelPx.height);
    const near = [line - 1, line, line + 1].flatMap((each) => occupied.get(each) ?? []);
    const isCovered = near.some(
      (label) => Math.abs(label.y - y) < labelPx.height && label.left < right && left < label.right,
    );
    if (isCovered) continue;
    shown.add(uid);
    const labels = occupied.get(line);
    if (labels) labels.push({ left, right, y });
    else occupied.set(line, [{ left, right, y }]);
  }
  return shown;
}
