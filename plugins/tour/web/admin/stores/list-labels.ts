import type { DrawingPoint } from './plan-frame.ts';

interface LabelledNode {
  readonly uid: string;
  readonly code: string;
}

/** Offset of a label from its mark, and its size, pixels. */
export const labelPx = { x: 18, height: 16, perLetter: 8 } as const;

/**
 * Lists the viewpoints whose codes are shown: as many as fit without overlaps, selected viewpoints first. Returns uids.
 *
 * @param points of the viewpoints, in units of the drawing
 */
export function listLabelledUids(
  nodes: readonly LabelledNode[],
  points: ReadonlyMap<string, DrawingPoint>,
  selectedUids: ReadonlySet<string>,
  unitsPerPx: number,
): ReadonlySet<string> {
  const labelledUids = new Set<string>();
  /** Labels by line of `labelPx.height`, so that a label is compared only with near labels. */
  const labelsByLine = new Map<number, { readonly left: number; readonly right: number; readonly y: number }[]>();
  const selectedFirst = [
    ...nodes.filter(({ uid }) => selectedUids.has(uid)),
    ...nodes.filter(({ uid }) => !selectedUids.has(uid)),
  ];
  for (const { uid, code } of selectedFirst) {
    const point = points.get(uid);
    if (!point) continue;
    const left = point.x / unitsPerPx + labelPx.x;
    const right = left + code.length * labelPx.perLetter;
    const y = point.y / unitsPerPx;
    const line = Math.floor(y / labelPx.height);
    const nearLabels = [line - 1, line, line + 1].flatMap((nearLine) => labelsByLine.get(nearLine) ?? []);
    const isCovered = nearLabels.some(
      (label) => Math.abs(label.y - y) < labelPx.height && label.left < right && left < label.right,
    );
    if (isCovered) continue;
    labelledUids.add(uid);
    const labels = labelsByLine.get(line);
    if (labels) labels.push({ left, right, y });
    else labelsByLine.set(line, [{ left, right, y }]);
  }
  return labelledUids;
}
