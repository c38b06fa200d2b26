import { Accounts, type Caller } from '#core/server';
import type { AnnotateContext } from './annotate-context.ts';

interface AuthoredRow {
  /** Uid of the account. */
  readonly author: string;
  /** What the author was called at that time. */
  readonly author_name: string;
}

/**
 * How the author of each row is named to whoever reads it: as the account is called now, or as it was noted where there
 * is none any more.
 */
export async function loadAuthorNames(
  context: AnnotateContext,
  rows: readonly AuthoredRow[],
): Promise<(row: AuthoredRow) => string> {
  const names = await context.service(Accounts).findNames(rows.map(({ author }) => author));
  return ({ author, author_name }) => names.get(author) ?? author_name;
}

/** What is noted with what the caller makes. */
export async function findCallerName(context: AnnotateContext, { uid, username }: Caller): Promise<string> {
  return (await context.service(Accounts).findNames([uid])).get(uid) ?? username;
}
