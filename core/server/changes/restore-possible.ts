import { sql, type QueryExecutorProvider } from 'kysely';
import { DatabaseError } from '../kernel/database-error.ts';
import type { RowChange } from './change-recorder.ts';

/** SQLSTATE class 23: unique, foreign key, check and not-null constraints. */
const isViolation = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && error.code.startsWith('23');

/** Writes a group of rows, or else the halves of it that no constraint refuses. */
export async function writePossible(
  transaction: QueryExecutorProvider,
  rows: readonly RowChange[],
  block: (row: RowChange, error: unknown) => void,
  write: (group: readonly RowChange[]) => Promise<void>,
): Promise<void> {
  if (rows.length === 0) return;
  await sql`savepoint undo_rows`.execute(transaction);
  try {
    await write(rows);
    await sql`release savepoint undo_rows`.execute(transaction);
    return;
  } catch (error) {
    if (!isViolation(error)) throw error;
    await sql`rollback to savepoint undo_rows`.execute(transaction);
    await sql`release savepoint undo_rows`.execute(transaction);
    const [row] = rows;
    if (rows.length === 1 && row) return block(row, error);
  }
  const half = Math.ceil(rows.length / 2);
  await writePossible(transaction, rows.slice(0, half), block, write);
  await writePossible(transaction, rows.slice(half), block, write);
}
