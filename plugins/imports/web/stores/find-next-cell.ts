export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

interface GridSize {
  readonly rows: number;
  readonly columns: number;
}

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The cell that a key moves to; undefined for other keys. `rowsPerPage` is the number of visible rows. */
export function findNextCell(
  { key, ctrlKey, metaKey, altKey }: KeyPress,
  { row, column }: CellPosition,
  size: GridSize,
  rowsPerPage: number,
): CellPosition | undefined {
  if (altKey || size.rows === 0 || size.columns === 0) return undefined;
  const jumpsToEdge = ctrlKey || metaKey;
  const clamp = (position: CellPosition): CellPosition => ({
    row: Math.max(0, Math.min(position.row, size.rows - 1)),
    column: Math.max(0, Math.min(position.column, size.columns - 1)),
  });
  switch (key) {
    case 'ArrowUp':
      return clamp({ row: jumpsToEdge ? 0 : row - 1, column });
    case 'ArrowDown':
      return clamp({ row: jumpsToEdge ? size.rows : row + 1, column });
    case 'ArrowLeft':
      return clamp({ row, column: jumpsToEdge ? 0 : column - 1 });
    case 'ArrowRight':
      return clamp({ row, column: jumpsToEdge ? size.columns : column + 1 });
    case 'PageUp':
      return clamp({ row: row - rowsPerPage, column });
    case 'PageDown':
      return clamp({ row: row + rowsPerPage, column });
    case 'Home':
      return clamp({ row: jumpsToEdge ? 0 : row, column: 0 });
    case 'End':
      return clamp({ row: jumpsToEdge ? size.rows : row, column: size.columns });
    default:
      return undefined;
  }
}
