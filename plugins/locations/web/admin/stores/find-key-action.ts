import { normalizeText } from './normalize-text.ts';
import type { TreeRow } from './tree-rows.ts';

/** Returns the action of a key in the tree: moving to a row, opening or closing locations, or selecting. */
export type KeyAction =
  | { readonly moveTo: number }
  | { readonly setOpen: boolean; readonly uids: readonly string[] }
  | { readonly select: true };

/**
 * What a key does at the row `active`; undefined for other keys.
 *
 * @see WAI-ARIA Authoring Practices, "Tree View Pattern"
 */
export function findKeyAction(
  key: string,
  rows: readonly TreeRow[],
  active: number,
  rowsPerPage: number,
): KeyAction | undefined {
  const row = rows[active];
  if (!row) return undefined;
  const moveTo = (index: number): KeyAction => ({ moveTo: Math.max(0, Math.min(index, rows.length - 1)) });
  switch (key) {
    case 'ArrowDown':
      return moveTo(active + 1);
    case 'ArrowUp':
      return moveTo(active - 1);
    case 'PageDown':
      return moveTo(active + rowsPerPage);
    case 'PageUp':
      return moveTo(active - rowsPerPage);
    case 'Home':
      return moveTo(0);
    case 'End':
      return moveTo(rows.length - 1);
    case 'ArrowRight':
      if (row.open === undefined) return undefined;
      return row.open ? moveTo(active + 1) : { setOpen: true, uids: [row.node.uid] };
    case 'ArrowLeft': {
      if (row.open) return { setOpen: false, uids: [row.node.uid] };
      const parent = rows.findLastIndex((other, index) => index < active && other.level < row.level);
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

/** The next row whose name begins with the typed text, from `active` on. A single letter starts at the row after it. */
export function findTypedRow(rows: readonly TreeRow[], active: number, typedText: string): number | undefined {
  const text = normalizeText(typedText);
  const first = [...text].length > 1 ? active : active + 1;
  for (let step = 0; step < rows.length; step += 1) {
    const index = (first + step) % rows.length;
    if (normalizeText(rows[index]?.node.name ?? '').startsWith(text)) return index;
  }
  return undefined;
}
