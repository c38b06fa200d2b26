import { normalizeText } from './normalize-text.ts';
import type { TreeRow } from './tree-rows.ts';

/** The action of a key in the tree: moves to a row, opens or closes locations, or selects. */
export type KeyAction =
  | { readonly moveTo: number }
  | { readonly setOpen: boolean; readonly uids: readonly string[] }
  | { readonly select: true };

/**
 * Finds the action of a key at the row with the index `activeIndex`. Undefined for other keys.
 *
 * @see WAI-ARIA Authoring Practices, "Tree View Pattern"
 */
export function findKeyAction(
  key: string,
  rows: readonly TreeRow[],
  activeIndex: number,
  rowsPerPage: number,
): KeyAction | undefined {
  const row = rows[activeIndex];
  if (!row) return undefined;
  const moveTo = (index: number): KeyAction => ({ moveTo: Math.max(0, Math.min(index, rows.length - 1)) });
  switch (key) {
    case 'ArrowDown':
      return moveTo(activeIndex + 1);
    case 'ArrowUp':
      return moveTo(activeIndex - 1);
    case 'PageDown':
      return moveTo(activeIndex + rowsPerPage);
    case 'PageUp':
      return moveTo(activeIndex - rowsPerPage);
    case 'Home':
      return moveTo(0);
    case 'End':
      return moveTo(rows.length - 1);
    case 'ArrowRight':
      if (row.open === undefined) return undefined;
      return row.open ? moveTo(activeIndex + 1) : { setOpen: true, uids: [row.node.uid] };
    case 'ArrowLeft': {
      if (row.open) return { setOpen: false, uids: [row.node.uid] };
      const parent = rows.findLastIndex((other, index) => index < activeIndex && other.level < row.level);
      return parent < 0 ? undefined : moveTo(parent);
    }
    case '*': {
      const siblings = rows.filter(({ node }) => node.parent === row.node.parent);
      return { setOpen: true, uids: siblings.map(({ node }) => node.uid) };
    }
    case 'Enter':
    case ' ':
      return { select: true };
    default:
      return undefined;
  }
}

/**
 * Finds the index of the next row whose name begins with the typed text. The search starts at `activeIndex`, or at the
 * row after it for a single letter, and wraps around.
 */
export function findTypedRow(rows: readonly TreeRow[], activeIndex: number, typedText: string): number | undefined {
  const text = normalizeText(typedText);
  const startIndex = [...text].length > 1 ? activeIndex : activeIndex + 1;
  for (let step = 0; step < rows.length; step += 1) {
    const index = (startIndex + step) % rows.length;
    if (normalizeText(rows[index]?.node.name ?? '').startsWith(text)) return index;
  }
  return undefined;
}
