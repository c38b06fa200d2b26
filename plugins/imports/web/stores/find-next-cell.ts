export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The cell that a key moves to; undefined for other keys. `perPage` is the number of visible rows. */
export function findNextCell(
  { key, ctrlKey, metaKey, altKey }: Key,
  { row, column }: CellPosition,
  size: CellPosition,
  perPage: number,
): CellPosition | undefined {
  if (altKey || size.row === 0 || size.column === 0) return undefined;
  const isFar = ctrlKey || metaKey;
  const clamp = (position: CellPosition): CellPosition => ({
    row: Math.max(0, Math.min(position.row, size.row - 1)),
    column: Math.max(0, Math.min(position.column, size.column - 1)),
  });
  switch (key) {
    case 'ArrowUp':
      return clamp({ row: isFar ? 0 : row - 1, column });
    case 'ArrowDown':
      return clamp({ row: isFar ? size.row : row + 1, column });
    case 'ArrowLeft':
      return clamp({ row, column: isFar ? 0 : column - 1 });
    case 'ArrowRight':
      return clamp({ row, column: isFar ? size.column : column + 1 });
    case 'PageUp':
      return clamp({ row: row - perPage, column });
    case 'PageDown':
      return clamp({ row: row + perPage, column });
    case 'Home':
      return clamp({ row: isFar ? 0 : row, column: 0 });
    case 'End':
      return clamp({ row: isFar ? size.row : row, column: size.column });
    default:
      return undefined;
  }
}
