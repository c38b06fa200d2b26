import pg from 'pg';

/**
 * An error of the database without what people wrote: no query, no parameters, no row. `code` is the SQLSTATE.
 * The message is the database's own, cut before any quoted value.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly code: string;
  readonly constraint: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;

  constructor(
    message: string,
    facts: {
      readonly code: string;
      readonly constraint?: string | undefined;
      readonly table?: string | undefined;
      readonly column?: string | undefined;
    },
  ) {
    super(message);
    this.code = facts.code;
    this.constraint = facts.constraint;
    this.table = facts.table;
    this.column = facts.column;
  }
}

/**
 * The database cannot be reached, or has no connection to spare in time: the answer is 503, and trying again makes
 * sense.
 */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError';
}

/** The disk of the database is full: nothing was saved, and trying again makes sense once there is room. */
export class DatabaseFullError extends DatabaseAwayError {}

/** Unique violation (23505), of this constraint where one is named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    error instanceof DatabaseError &&
    error.code === '23505' &&
    (constraint === undefined || error.constraint === constraint)
  );
}

/** A value that the database does not take (class 22 of SQLSTATE): a number, a date or a text beyond its type. */
export const isDataError = (error: unknown): boolean => error instanceof DatabaseError && error.code.startsWith('22');

const connectionTrouble = /^(ECONN|ENOENT|EPIPE|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EAI_AGAIN)/;
const diskFullState = '53100';
const connectionTroubleStates = /^(08|53300|57P0[1-4])/;
const driverTrouble =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|not queryable|Cannot use a pool after calling end|embedded database/i;

/**
 * Every error that leaves the database layer passes here, in the `catch` of who awaited it: so its stack shows which
 * code asked.
 */
export function cleanError(error: unknown): Error {
  return error instanceof DatabaseError || error instanceof DatabaseAwayError ? error : translate(error);
}

function translate(error: unknown): Error {
  if (error instanceof pg.DatabaseError && error.code !== undefined) {
    if (error.code === diskFullState)
      return new DatabaseFullError('The disk of the database is full (53100): nothing was saved.');
    if (connectionTroubleStates.test(error.code))
      return new DatabaseAwayError(`The database refuses to work at the moment (${error.code}).`);
    return new DatabaseError(withoutValues(error.message), {
      code: error.code,
      constraint: error.constraint,
      table: error.table,
      column: error.column,
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (connectionTrouble.test(code) || driverTrouble.test(message))
    return new DatabaseAwayError(`The database cannot be reached (${code || message}).`);
  return error instanceof Error ? error : new Error(message);
}

/** `invalid input syntax for type uuid: "x"` names what a person sent; names of columns and constraints stay. */
function withoutValues(message: string): string {
  return message.replace(/: ".*$/s, '').replace(/^(.*\bvalue) ".*?"(.*)$/s, '$1$2');
}
