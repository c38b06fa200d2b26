import { sql, type QueryExecutorProvider } from 'kysely';
import { DatabaseError } from '../kernel/database-error.ts';
import type { RowChange } from './change-recorder.ts';

/** SQLSTATE class 23: unique, foreign key, check and not-null constraints. */
const isViolation = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && error.code.startsWith('23');

/**
 * Writes rows as one group. If a constraint refuses the group, writes its halves separately, down to the refused rows,
 * which are passed to `onRefused`.
 */
export async function writeByHalving(
  transaction: QueryExecutorProvider,
  rows: readonly RowChange[],
  onRefused: (row: RowChange, error: unknown) => void,
  writeRows: (group: readonly RowChange[]) => Promise<void>,
): Promise<void> {
  if (rows.length === 0) return;
  await sql`savepoint undo_rows`.execute(transaction);
  try {
    await writeRows(rows);
    await sql`release savepoint undo_rows`.execute(transaction);
    return;
  } catch (error) {
    if (!isViolation(error)) throw error;
    await sql`rollback to savepoint undo_rows`.execute(transaction);
    await sql`release savepoint undo_rows`.execute(transaction);
    const [row] = rows;
    if (rows.length === 1 && row) return onRefused(row, error);
  }
  const half = Math.ceil(rows.length / 2);
  await writeByHalving(transaction, rows.slice(0, half), onRefused, writeRows);
  await writeByHalving(transaction, rows.slice(half), onRefused, writeRows);
}
