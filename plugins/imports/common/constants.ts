/**
 * Whether all rows of a file that lacks the column may have one value: not the only column by which rows are told
 * apart.
 */
export function canBeConstant(
  columns: readonly { readonly id: string; readonly key?: boolean }[],
  column: string,
): boolean {
  const keys = columns.filter(({ key }) => key === true);
  return columns.some(({ id }) => id === column) && !(keys.length === 1 && keys[0]?.id === column);
}
