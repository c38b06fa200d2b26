import { sql, type Kysely } from 'kysely';
import { validationMessages } from '#core';
import { conflict, invalidRequest, isUniqueViolation, notFound, type Call, type Caller } from '#core/server';
import type { ServerContext } from '#core/server';
import type { updateCode, CodedNode, CodeKind } from '../../contract/api.ts';
import { tourRefusal } from '../../contract/errors.ts';
import type { TourTables } from '../tables.ts';
import { toSearchKey } from './search-key.ts';
import { touchTours } from './touch-tours.ts';
import type { TourContext } from './tour-at.ts';

interface NewCode {
  readonly site: string;
  readonly kind: CodeKind;
  readonly code: string;
  /** Uid of the entity. */
  readonly entity: string;
}

/**
 * Reserves the codes of new entities in the transaction that inserts them.
 *
 * @throws a unique violation if a code is or was in use
 */
export async function insertCodes(tables: Kysely<TourTables>, codes: readonly NewCode[]): Promise<void> {
  if (codes.length === 0) return;
  const toTextArray = (read: (code: NewCode) => string) => sql`${codes.map(read)}::text[]`;
  await sql`
    insert into tour.code (site, kind, code, entity, replaced_at)
    select *, null from unnest(${toTextArray(({ site }) => site)}, ${toTextArray(({ kind }) => kind)}, ${toTextArray(({ code }) => code)},
      ${toTextArray(({ entity }) => entity)})`.execute(tables);
}

/** Deletes the current and former codes of entities. `kind` is required, because uids are unique only within a kind. */
export async function deleteCodes(
  tables: Kysely<TourTables>,
  kind: CodeKind,
  entities: readonly string[],
): Promise<void> {
  await tables
    .deleteFrom('code')
    .where('kind', '=', kind)
    .where(sql<boolean>`entity = any(${[...entities]}::text[])`)
    .execute();
}

/**
 * Reserves the codes that admins enter for new entities, in the transaction that inserts them. A code that another
 * entity has or had in another case is taken too, because people and file systems ignore case.
 *
 * @throws `conflict` (409); a unique violation if an entity exists already
 */
export async function reserveCodes(
  tables: Kysely<TourTables>,
  site: string,
  kind: CodeKind,
  entities: readonly Pick<NewCode, 'code' | 'entity'>[],
): Promise<void> {
  await assertCodesFree(tables, site, kind, entities);
  await insertCodes(
    tables,
    entities.map(({ code: entityCode, entity }) => ({ site, kind, code: entityCode, entity })),
  );
}

/** @throws `conflict` (409) */
async function assertCodesFree(
  tables: Kysely<TourTables>,
  site: string,
  kind: CodeKind,
  entities: readonly Pick<NewCode, 'code' | 'entity'>[],
): Promise<void> {
  const codes = new Set<string>();
  const duplicateEntity = entities.find(({ code }) => codes.size === codes.add(code.toUpperCase()).size);
  const takenRow = await tables
    .selectFrom('code')
    .select('code')
    .where('site', '=', site)
    .where('kind', '=', kind)
    .where(sql<boolean>`upper(code) = any(${[...codes]}::text[])`)
    .where(sql<boolean>`entity <> all(${entities.map(({ entity }) => entity)}::text[])`)
    .orderBy('code')
    .executeTakeFirst();
  const code = takenRow?.code ?? duplicateEntity?.code;
  if (code !== undefined)
    throw conflict(tourRefusal('tour.refused.codeTaken', { code }), [
      { pointer: kind === 'TAG' ? '/number' : '/code', message: validationMessages.duplicate, values: { value: code } },
    ]);
}

/**
 * Replaces the current code of an entity in the transaction that changes its row. The former code still finds it.
 *
 * @throws `conflict` (409) if another entity of the site has or had the code, in any case
 */
export const renameCode = (tables: Kysely<TourTables>, { site, kind, ...renamed }: NewCode): Promise<void> =>
  renameCodes(tables, site, kind, [renamed]);

/** Like `renameCode`, for several entities. */
export async function renameCodes(
  tables: Kysely<TourTables>,
  site: string,
  kind: CodeKind,
  entities: readonly Pick<NewCode, 'code' | 'entity'>[],
): Promise<void> {
  if (entities.length === 0) return;
  await assertCodesFree(tables, site, kind, entities);
  const uids = entities.map(({ entity }) => entity);
  await tables
    .updateTable('code')
    .set({ replaced_at: new Date() })
    .where(sql<boolean>`entity = any(${uids}::text[])`)
    .where('kind', '=', kind)
    .where('replaced_at', 'is', null)
    .execute();
  // An entity may return to one of its former codes.
  const { rows: writtenRows } = await sql<{ code: string }>`
    insert into tour.code (site, kind, code, entity, replaced_at)
    select ${site}::text, ${kind}::text, code, entity, null
    from unnest(${entities.map(({ code }) => code)}::text[], ${uids}::text[]) as input (code, entity)
    on conflict (site, kind, code) do update set replaced_at = null where code.entity = excluded.entity
    returning code`.execute(tables);
  const savedCodes = new Set(writtenRows.map(({ code }) => code));
  const refusedEntity = entities.find(({ code }) => !savedCodes.has(code));
  if (refusedEntity) throw conflict(tourRefusal('tour.refused.codeTaken', { code: refusedEntity.code }));
}

/** Restores codes of entities that still exist after the change that reserved the codes was undone. */
export async function restoreCodes(tables: Kysely<TourTables>, entities: readonly string[]): Promise<void> {
  if (entities.length === 0) return;
  const codeQueries = Object.entries(tableByKind).map(
    ([kind, table]) => sql`
      select site, ${kind}::text, code, uid, null::timestamptz from ${sql.id('tour', table)}
      where uid = any(${[...entities]}::text[])`,
  );
  await sql`
    insert into tour.code (site, kind, code, entity, replaced_at) ${sql.join(codeQueries, sql` union all `)}
    on conflict (site, kind, code) do nothing`.execute(tables);
}

/** Finds entities of a site by current or former codes. Returns uids by code. */
export async function findByCodes(
  context: Pick<TourContext, 'tables' | 'locations'>,
  kind: CodeKind,
  location: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const site = await context.locations.findSite(location);
  if (site === undefined || codes.length === 0) return new Map();
  const rows = await context.tables
    .selectFrom('code')
    .select(['code', 'entity'])
    .where('site', '=', site)
    .where('kind', '=', kind)
    .where(sql<boolean>`code = any(${[...codes]}::text[])`)
    .execute();
  return new Map(rows.map(({ code, entity }) => [code, entity]));
}

/** Lists former codes by entity, latest first. */
export async function listFormerCodes(
  tables: Kysely<TourTables>,
  entities: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await tables
    .selectFrom('code')
    .select(['entity', 'code'])
    .where(sql<boolean>`entity = any(${[...entities]}::text[])`)
    .where('replaced_at', 'is not', null)
    .orderBy('replaced_at', 'desc')
    .execute();
  const codes = new Map<string, string[]>();
  for (const { entity, code } of rows) codes.set(entity, [...(codes.get(entity) ?? []), code]);
  return codes;
}

/**
 * Finds the nodes with a current or former code at accessible locations, ordered by site. Without such a code, finds
 * current codes in another case.
 */
export async function findNodesByCode(
  context: TourContext,
  caller: Caller,
  { code, site }: { readonly code: string; readonly site?: string },
): Promise<CodedNode[]> {
  const nodeQuery = context.tables
    .selectFrom('node')
    .innerJoin('tour', 'tour.uid', 'node.tour')
    .select([
      'node.uid',
      'node.code',
      'node.name',
      'node.location',
      'node.site',
      'tour.name as tour_name',
      'tour.location as tour_location',
    ])
    .where('node.panorama_file', 'is not', null)
    .$if(site !== undefined, (query) => query.where('node.site', '=', site ?? ''))
    .orderBy('node.site')
    .orderBy('node.code');
  const nodesOfCode = await nodeQuery
    .where('node.uid', 'in', ({ selectFrom }) =>
      selectFrom('code').select('entity').where('kind', '=', 'NODE').where('code.code', '=', code),
    )
    .execute();
  const nodes =
    nodesOfCode.length > 0
      ? nodesOfCode
      : await nodeQuery.where(sql<boolean>`upper(node.code) = upper(${code})`).execute();
  const accessibleNodes = await context.locations.filterAccessible(caller, nodes);
  return Promise.all(
    accessibleNodes.map(
      async ({ uid, code: currentCode, name, location, site: siteUid, tour_name, tour_location }) => ({
        uid,
        code: currentCode,
        name,
        site: { uid: siteUid, name: (await context.locations.find(siteUid))?.name ?? siteUid },
        // Without access to the location of the tour, the location of the node opens the tour.
        tour: {
          name: tour_name,
          location: (await context.locations.canAccess(caller, tour_location)) ? tour_location : location,
        },
      }),
    ),
  );
}

const tableByKind = { TOUR: 'tour', DECK: 'deck', NODE: 'node', TAG: 'tag', DOCUMENT: 'document' } as const;

/**
 * Changes the code of an entity. The former code still finds it.
 *
 * @throws 404 if the entity is not accessible or belongs to another site; 409 if another entity of the site has or had
 *   the code
 */
export async function replaceCode(
  context: Pick<ServerContext<TourTables>, 'tables' | 'locations' | 'changes'>,
  { caller, params: { location, kind, uid }, body: { code }, requestId }: Call<typeof updateCode>,
): Promise<void> {
  const site = await context.locations.findSite(location);
  const { tables } = context;
  const table = tableByKind[kind];
  const entity = await tables
    .selectFrom(table)
    .select(['code', 'location', 'site'])
    .where('uid', '=', uid)
    .executeTakeFirst();
  if (!entity || entity.site !== site || !(await context.locations.canAccess(caller, entity.location)))
    throw notFound('This entity');
  if (entity.code === code) return;
  if (kind === 'TAG' && toSearchKey(code) === '') throw invalidRequest(tourRefusal('tour.refused.codeWithoutLetters'));
  try {
    await context.changes.apply(
      { caller, requestId },
      { action: 'tour.codeChanged', subject: uid, name: code, location: entity.location },
      async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('code', 'entity', [uid]);
        await lockAndRecord(table, 'uid', [uid]);
        await renameCode(transaction, { site, kind, code, entity: uid });
        if (kind === 'TAG')
          await transaction
            .updateTable('tag')
            .set({ code, search_key: toSearchKey(code) })
            .where('uid', '=', uid)
            .execute();
        else await transaction.updateTable(table).set({ code }).where('uid', '=', uid).execute();
        await touchTours(transaction, 'site', site);
      },
    );
  } catch (cause) {
    if (isUniqueViolation(cause)) throw conflict(tourRefusal('tour.refused.codeTaken', { code }));
    throw cause;
  }
}
