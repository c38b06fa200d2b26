import { Accounts, type Caller } from '#core/server';
import type { AnnotateContext } from './annotate-context.ts';

interface AuthoredRow {
  /** Uid of the account. */
  readonly author: string;
  /** The author's name when the row was saved. */
  readonly author_name: string;
}

/** Loads the authors' current names. The saved name is used if the account was deleted. */
export async function loadAuthorNames(
  context: AnnotateContext,
  rows: readonly AuthoredRow[],
): Promise<(row: AuthoredRow) => string> {
  const names = await context.service(Accounts).findNames(rows.map(({ author }) => author));
  return ({ author, author_name }) => names.get(author) ?? author_name;
}

/** Loads the name of the caller, which is saved with a new row. */
export async function loadCallerName(context: AnnotateContext, { uid, username }: Caller): Promise<string> {
  return (await context.service(Accounts).findNames([uid])).get(uid) ?? username;
}
