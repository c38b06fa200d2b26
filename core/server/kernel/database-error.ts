import pg from 'pg';

/**
 * A database error without user data: no query, no parameters, no row. `code` is the SQLSTATE. The message is the
 * database's own, cut before any quoted value.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly code: string;
  readonly constraint: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;

  constructor(
    message: string,
    details: {
      readonly code: string;
      readonly constraint?: string | undefined;
      readonly table?: string | undefined;
      readonly column?: string | undefined;
    },
  ) {
    super(message);
    this.code = details.code;
    this.constraint = details.constraint;
    this.table = details.table;
    this.column = details.column;
  }
}

/** The database is unreachable, or no connection became free in time. Answered with 503, so that clients retry. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** The database disk is full and nothing was saved. The caller may retry once there is space. */
export class DatabaseFullError extends DatabaseUnavailableError {}

/** Whether `error` is a unique violation (23505), of `constraint` if given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    error instanceof DatabaseError &&
    error.code === '23505' &&
    (constraint === undefined || error.constraint === constraint)
  );
}

/** Whether `error` is a foreign key violation (23503). */
export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '23503';

/** Whether a statement was cancelled because it ran, or waited for a lock, longer than statements may (57014). */
export const isStatementTimeout = (error: unknown): boolean => error instanceof DatabaseError && error.code === '57014';

/** Whether the database refuses a value (SQLSTATE class 22): a number, date or text outside of its type. */
export const isDataError = (error: unknown): boolean => error instanceof DatabaseError && error.code.startsWith('22');

const connectionErrorCodes = /^(ECONN|ENOENT|EPIPE|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EAI_AGAIN)/;
const diskFullSqlState = '53100';
const connectionSqlStates = /^(08|53300|57P0[1-4])/;
const driverErrors =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|not queryable|Cannot use a pool after calling end|embedded database/i;

/**
 * Converts driver errors into errors without user data, and returns other errors unchanged. Called in the `catch` of
 * the awaiting code, so that the stack shows the caller.
 */
export function toSafeError(error: unknown): Error {
  return error instanceof DatabaseError || error instanceof DatabaseUnavailableError ? error : convertError(error);
}

function convertError(error: unknown): Error {
  if (error instanceof pg.DatabaseError && error.code !== undefined) {
    if (error.code === diskFullSqlState)
      return new DatabaseFullError('The database disk is full (53100). Nothing was saved.');
    if (connectionSqlStates.test(error.code))
      return new DatabaseUnavailableError(`The database is not available at the moment (${error.code}).`);
    return new DatabaseError(removeValues(error.message), {
      code: error.code,
      constraint: error.constraint,
      table: error.table,
      column: error.column,
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (connectionErrorCodes.test(code) || driverErrors.test(message))
    return new DatabaseUnavailableError(`The database cannot be reached (${code || message}).`);
  return error instanceof Error ? error : new Error(message);
}

/** `invalid input syntax for type uuid: "x"` contains user data. The names of columns and constraints stay. */
function removeValues(message: string): string {
  return message.replace(/: ".*$/s, '').replace(/^(.*\bvalue) ".*?"(.*)$/s, '$1$2');
}
