import { Accounts, type Caller } from '#core/server';
import type { AnnotateContext } from './annotate-context.ts';

interface AuthoredRow {
  /** Uid of the account. */
  readonly author: string;
  /** The author's name at that time. */
  readonly author_name: string;
}

/** Display names of the authors of rows: the account's current name, or the saved name if the account was deleted. */
export async function loadAuthorNames(
  context: AnnotateContext,
  rows: readonly AuthoredRow[],
): Promise<(row: AuthoredRow) => string> {
  const names = await context.service(Accounts).findNames(rows.map(({ author }) => author));
  return ({ author, author_name }) => names.get(author) ?? author_name;
}

/** The author fields that are saved with a new row. */
export async function findCallerName(context: AnnotateContext, { uid, username }: Caller): Promise<string> {
  return (await context.service(Accounts).findNames([uid])).get(uid) ?? username;
}
