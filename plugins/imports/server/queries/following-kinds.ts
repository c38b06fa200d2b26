import { sql, type Kysely } from 'kysely';
import { conflict, invalidRequest, type Caller } from '#core/server';
import type { ImportScope } from '#plugins/imports';
import { importsRefusal } from '../../contract/errors.ts';
import { getBatch, type Batch, type ImportContext } from '../import-context.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import type { StagedImport } from '../queries/sheet-rows.ts';
import type { ImportsTables } from '../tables.ts';

/** The imports that wait for one. */
export const selectWaiting = (tables: Kysely<ImportsTables>, uid: string) =>
  tables.selectFrom('batch').where('follows', '=', uid).where('phase', '=', 'WAITING');

/** Finds those of `kinds` whose rows refer to rows of `followedKind`, and whether the site has such rows. */
export async function findFollowingKinds(
  tables: Kysely<ImportsTables>,
  kinds: readonly AnyKind[],
  followedKind: string,
  scope: ImportScope,
): Promise<readonly { readonly kind: AnyKind; readonly hasRows: boolean }[]> {
  const followingKinds = [];
  for (const kind of kinds.filter(({ follows }) => follows === followedKind)) {
    const { rows } = await sql<{ found: boolean }>`
      select exists (select from (${kind.sheets[0]!.current(scope)}) as rows) as found`.execute(tables);
    followingKinds.push({ kind, hasRows: rows[0]?.found === true });
  }
  return followingKinds;
}

/**
 * @param mayImport whether the person may import a kind
 * @throws `conflict` (409) if the import removes rows that rows of another kind may refer to, and no import of that kind
 *   follows it (requirement IMP-05)
 */
export async function assertFollowed(
  tables: Kysely<ImportsTables>,
  kinds: readonly AnyKind[],
  stagedImport: StagedImport,
  mayImport: (kind: AnyKind) => boolean = () => true,
): Promise<void> {
  const { batch, scope } = stagedImport;
  const removedRow = await tables
    .selectFrom('staged_row')
    .select('id')
    .where('batch', '=', batch)
    .where('number', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (!removedRow) return;
  const waitingImports = await selectWaiting(tables, batch).select('kind').where('site', '=', scope.site).execute();
  for (const { kind, hasRows } of await findFollowingKinds(tables, kinds, stagedImport.kind.id, scope))
    if (hasRows && !waitingImports.some((waitingImport) => waitingImport.kind === kind.id)) {
      const sheet = kind.sheets[0]!.name;
      throw conflict(
        mayImport(kind)
          ? importsRefusal('imports.refused.followerNeeded', { sheet })
          : importsRefusal('imports.refused.followerRight', { sheet }),
      );
    }
}

/**
 * @throws `invalidRequest` (400) if the kind does not follow that of the other import, or has another site; `conflict`
 *   (409) if the other import was cancelled or has failed
 */
export async function assertMayFollow(
  context: ImportContext,
  caller: Caller,
  { follows: followedKind }: AnyKind,
  { follows, site }: { readonly follows: string; readonly site: string | null | undefined },
): Promise<void> {
  const batch = await getBatch(context, caller, follows);
  if (batch.kind !== followedKind || batch.site !== site)
    throw invalidRequest(importsRefusal('imports.refused.notFollowing'));
  if (batch.phase === 'CANCELLED' || batch.result === 'FAILED')
    throw conflict(importsRefusal('imports.refused.followedEnded'));
}

/** Whether an import must wait for the one that it follows. */
export async function mustWait(tables: Kysely<ImportsTables>, { follows }: Pick<Batch, 'follows'>): Promise<boolean> {
  if (follows === null) return false;
  const followedBatch = await tables
    .selectFrom('batch')
    .select('finished_at')
    .where('uid', '=', follows)
    .executeTakeFirst();
  return followedBatch !== undefined && followedBatch.finished_at === null;
}
