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
    /** The code or number today. */
    code: Type.String({ minLength: 1, maxLength: 100 }),
    former: Type.String({ minLength: 1, maxLength: 100 }),
    replacedAt: Instant,
  }),
);

/** Codes that things had before, by which links and searches still find them. */
export const createFormerCodeContent = (context: ServerContext<TourTables>): SiteContent => ({
  id: 'former-codes',
  title: { en: 'Former codes', fr: 'Anciens codes' },
  folder: 'former-codes',
  // After the documents, which have codes as well.
  order: 55,
  export: (out) => exportCodes(context, out),
  check: async ({ read }) => void (await read(codesFile, FormerCodes)),
  import: (source) => importCodes(context, source),
});

/** Where the things with codes are. */
const places = sql`
  select uid, location from tour.tour union all select uid, location from tour.deck
  union all select uid, location from tour.node union all select uid, location from tour.tag
  union all select uid, location from tour.document`;

async function exportCodes({ tables }: Context, out: SiteExport): Promise<void> {
  const { rows } = await sql<{ kind: string; code: string; former: string; replaced_at: Date }>`
    select former.kind, today.code, former.code as former, former.replaced_at
    from tour.code as former
    join tour.code as today on today.site = former.site and today.kind = former.kind
      and today.entity = former.entity and today.replaced_at is null
    join (${places}) as place on place.uid = former.entity and place.location = any(${[...out.locations]}::text[])
    where former.site = ${out.site} and former.replaced_at is not null
    order by former.kind, former.code`.execute(tables);
  if (rows.length === 0) return;
  await out.add(
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
  out.count({ 'former codes': rows.length });
}

async function importCodes(
  { tables, changes }: Context,
  { site, author, read, note, dryRun }: SiteImport,
): Promise<ImportedCounts> {
  const given = await read(codesFile, FormerCodes);
  const { rows } = await sql<{ index: string; entity: string | null; taken: string | null }>`
    select given.index, today.entity, taken.entity as taken
    from rows from (jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as (kind text, code text, former text))
      with ordinality as given (kind, code, former, index)
    left join tour.code as today on today.site = ${site} and today.kind = given.kind and today.replaced_at is null
      and upper(today.code) = upper(given.code)
    left join lateral (
      select entity from tour.code where site = ${site} and kind = given.kind and upper(code) = upper(given.former)
      limit 1
    ) as taken on true
    order by index`.execute(tables);
  const missing: TourTables['code'][] = [];
  let known = 0;
  let refused = 0;
  for (const [position, { entity, taken }] of rows.entries()) {
    const { kind, former, replacedAt } = given[position]!;
    if (entity !== null && taken === entity) known += 1;
    else if (taken !== null || (entity === null && !dryRun)) refused += 1;
    else missing.push({ site, kind, code: former, entity: entity ?? '', replaced_at: new Date(replacedAt) });
  }
  if (refused > 0)
    note(`${refused} former codes were left out: they are codes of something else here, or lead nowhere.`);
  if (missing.length > 0 && !dryRun) {
    const uids = [...new Set(missing.map(({ entity }) => entity))];
    await changes.apply(
      author,
      { action: 'tour.formerCodesAdded', subject: uids[0]!, name: site, location: site },
      async ({ tables: transaction, record }) => {
        await record('code', 'entity', uids);
        await sql`
          insert into tour.code (site, kind, code, entity, replaced_at)
          select site, kind, code, entity, replaced_at
          from jsonb_populate_recordset(null::tour.code, ${JSON.stringify(missing)}::jsonb)
          on conflict (site, kind, code) do nothing`.execute(transaction);
      },
    );
  }
  return { added: missing.length, changed: 0, unchanged: known };
}
