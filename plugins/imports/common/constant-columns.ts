/**
 * Whether a column that the file lacks can get one value for all rows. The only key column cannot, because it
 * distinguishes the rows.
 */
export function canBeConstant(
  columns: readonly { readonly id: string; readonly key?: boolean }[],
  column: string,
): boolean {
  const keys = columns.filter(({ key }) => key === true);
  return columns.some(({ id }) => id === column) && !(keys.length === 1 && keys[0]?.id === column);
}
