import { sql } from 'kysely';
import { Type } from 'typebox';
import { Instant } from '#core/api';
import type { ImportedCounts, ServerContext, SiteContent, SiteExport, SiteImport } from '#core/server';
import { codeKinds } from '../../contract/api.ts';
import type { TourTables } from '../tables.ts';
import { toJson } from './tour-content.ts';

type Context = Pick<ServerContext<TourTables>, 'tables' | 'changes'>;

const codesFile = 'former-codes.json';
const FormerCodes = Type.Array(
  Type.Object({
    kind: Type.Enum([...codeKinds]),
    /** The current code or number. */
    code: Type.String({ minLength: 1, maxLength: 100 }),
    former: Type.String({ minLength: 1, maxLength: 100 }),
    replacedAt: Instant,
  }),
);

/** Exports and imports former codes of entities, with which links and searches still find the entities. */
export const createFormerCodeContent = (context: ServerContext<TourTables>): SiteContent => ({
  id: 'former-codes',
  title: { en: 'Former codes', fr: 'Anciens codes' },
  frenchCountLabels: { 'former codes': 'anciens codes' },
  folder: 'former-codes',
  // Former codes refer to all other contents, so those are imported first.
  order: 55,
  export: (siteExport) => exportCodes(context, siteExport),
  check: async ({ read }) => void (await read(codesFile, FormerCodes)),
  import: (source) => importCodes(context, source),
});

/** SQL of all entities with codes and their locations. */
const codedEntities = sql`
  select uid, location from tour.tour union all select uid, location from tour.deck
  union all select uid, location from tour.node union all select uid, location from tour.tag
  union all select uid, location from tour.document`;

async function exportCodes({ tables }: Context, siteExport: SiteExport): Promise<void> {
  const { rows } = await sql<{ kind: string; code: string; former: string; replaced_at: Date }>`
    select former.kind, current_code.code, former.code as former, former.replaced_at
    from tour.code as former
    join tour.code as current_code on current_code.site = former.site and current_code.kind = former.kind
      and current_code.entity = former.entity and current_code.replaced_at is null
    join (${codedEntities}) as coded on coded.uid = former.entity and coded.location = any(${[...siteExport.locations]}::text[])
    where former.site = ${siteExport.site} and former.replaced_at is not null
    order by former.kind, former.code`.execute(tables);
  if (rows.length === 0) return;
  await siteExport.add(
    codesFile,
    toJson(
      rows.map(({ kind, code, former, replaced_at: replacedAt }) => ({
        kind,
        code,
        former,
        replacedAt: replacedAt.toISOString(),
      })),
    ),
  );
  siteExport.count({ 'former codes': rows.length });
}

async function importCodes(
  { tables, changes }: Context,
  { site, author, read, note, dryRun }: SiteImport,
): Promise<ImportedCounts> {
  const input = await read(codesFile, FormerCodes);
  const { rows } = await sql<{ index: string; entity: string | null; taken: string | null }>`
    select input.index, current_code.entity, taken.entity as taken
    from rows from (jsonb_to_recordset(${JSON.stringify(input)}::jsonb) as (kind text, code text, former text))
      with ordinality as input (kind, code, former, index)
    left join tour.code as current_code on current_code.site = ${site} and current_code.kind = input.kind and current_code.replaced_at is null
      and upper(current_code.code) = upper(input.code)
    left join lateral (
      select entity from tour.code where site = ${site} and kind = input.kind and upper(code) = upper(input.former)
      limit 1
    ) as taken on true
    order by index`.execute(tables);
  const missingCodes: TourTables['code'][] = [];
  let unchangedCount = 0;
  let refusedCount = 0;
  for (const [position, { entity, taken }] of rows.entries()) {
    const { kind, former, replacedAt } = input[position]!;
    if (entity !== null && taken === entity) unchangedCount += 1;
    else if (taken !== null || (entity === null && !dryRun)) refusedCount += 1;
    else missingCodes.push({ site, kind, code: former, entity: entity ?? '', replaced_at: new Date(replacedAt) });
  }
  if (refusedCount > 0)
    note(
      `${refusedCount} former codes were left out: here they belong to something else, or their entity does not exist.`,
      `${refusedCount} anciens codes ont été laissés de côté : ils désignent autre chose ici, ou ne mènent nulle part.`,
    );
  if (missingCodes.length > 0 && !dryRun) {
    const uids = [...new Set(missingCodes.map(({ entity }) => entity))];
    await changes.apply(
      author,
      { action: 'tour.formerCodesAdded', subject: uids[0]!, name: site, location: site },
      async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('code', 'entity', uids);
        await sql`
          insert into tour.code (site, kind, code, entity, replaced_at)
          select site, kind, code, entity, replaced_at
          from jsonb_populate_recordset(null::tour.code, ${JSON.stringify(missingCodes)}::jsonb)
          on conflict (site, kind, code) do nothing`.execute(transaction);
      },
    );
  }
  return { added: missingCodes.length, changed: 0, unchanged: unchangedCount };
}
