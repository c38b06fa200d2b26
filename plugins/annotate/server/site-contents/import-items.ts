import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { removeOnFailure, type ImportedCounts, type ServerContext, type SiteImport } from '#core/server';
import { Tours } from '#plugins/tour';
import { snapshotGuard } from '../handlers/snapshots.ts';
import type { AnnotateTables } from '../tables.ts';
import { ExportedItems, itemsFile } from './item-record.ts';

type Context = ServerContext<AnnotateTables>;
type Item =
  | ExportedItems['measurements'][number]
  | ExportedItems['annotations'][number]
  | ExportedItems['snapshots'][number];

/** Imported items belong to no account. The saved name is shown, and people with the flag `configure` may edit them. */
const noAccount = '';
const rowsPerInsert = 500;

/** Adds the missing items. Existing items are kept, because people may have changed them since the export. */
export async function importItems(context: Context, source: SiteImport): Promise<ImportedCounts> {
  const { tables, locations } = context;
  const items = await source.read(itemsFile, ExportedItems);
  const allItems: readonly Item[] = [...items.measurements, ...items.annotations, ...items.snapshots];
  const toSharedColumns = await createToSharedColumns(context, source, allItems);
  const counts = { added: 0, changed: 0, unchanged: 0 };
  for (const table of ['measurement', 'annotation', 'snapshot'] as const) {
    const importedItems: readonly Item[] = items[`${table}s`];
    const presentRows = await tables
      .selectFrom(table)
      .select('uid')
      .where(sql<boolean>`uid = any(${importedItems.map(({ uid }) => uid)}::uuid[])`)
      .execute();
    const knownUids = new Set(presentRows.map(({ uid }) => uid));
    const missingItems: Item[] = [];
    for (const item of importedItems) {
      if (knownUids.has(item.uid)) counts.unchanged += 1;
      else if (source.dryRun && (!toSharedColumns(item) || !(await locations.find(item.location))))
        missingItems.push(item);
      else if (toSharedColumns(item) && (await locations.canAccess(source.author.caller, item.location)))
        missingItems.push(item);
      else
        source.note(
          `“${item.name}” was left out: there is no tour at ${item.location}.`,
          `« ${item.name} » a été laissé de côté : il n’y a pas de visite à ${item.location}.`,
        );
    }
    for (let start = 0; start < missingItems.length && !source.dryRun; start += rowsPerInsert)
      await insertItems(context, source, table, missingItems.slice(start, start + rowsPerInsert), toSharedColumns);
    counts.added += missingItems.length;
  }
  return counts;
}

type ToSharedColumns = Awaited<ReturnType<typeof createToSharedColumns>>;

async function createToSharedColumns({ service }: Context, { site }: SiteImport, items: readonly Item[]) {
  const tours = new Map<string, string>();
  for (const location of new Set(items.map((item) => item.location))) {
    const tour = await service(Tours)
      .tourAt(location)
      .catch(() => undefined);
    if (tour !== undefined) tours.set(location, tour);
  }
  const nodes = await service(Tours).findNodes(site, [...new Set(items.flatMap(({ viewpoint }) => viewpoint ?? []))]);
  return ({ uid, location, name, view, viewpoint, author, createdAt, updatedAt }: Item) => {
    const tour = tours.get(location);
    return (
      tour !== undefined && {
        uid,
        location,
        name,
        view,
        tour,
        node: nodes.get(viewpoint ?? '') ?? null,
        shared: true,
        author: noAccount,
        author_name: author,
        created_at: new Date(createdAt),
        updated_at: new Date(updatedAt),
        version: 1,
      }
    );
  };
}

async function insertItems(
  context: Context,
  source: SiteImport,
  table: 'measurement' | 'annotation' | 'snapshot',
  items: readonly Item[],
  toSharedColumns: ToSharedColumns,
): Promise<void> {
  const { tables, service } = context;
  if (table === 'measurement')
    await tables
      .insertInto('measurement')
      .values(
        (items as ExportedItems['measurements']).flatMap((item) => {
          const { kind, points, result, unit } = item;
          const sharedColumns = toSharedColumns(item);
          return sharedColumns
            ? [{ ...sharedColumns, kind, unit, points: JSON.stringify(points), result: JSON.stringify(result) }]
            : [];
        }),
      )
      .execute();
  else if (table === 'annotation')
    await insertAnnotations(context, items as ExportedItems['annotations'], toSharedColumns);
  else {
    const snapshots = items as ExportedItems['snapshots'];
    const tags = await service(Tours).findTags(source.site, [...new Set(snapshots.flatMap(({ tag }) => tag ?? []))]);
    for (const item of snapshots) {
      const sharedColumns = toSharedColumns(item);
      if (!sharedColumns) continue;
      const picture = await storePicture(context, source, item);
      await removeOnFailure(context.files, [picture], () =>
        tables
          .insertInto('snapshot')
          .values({
            ...sharedColumns,
            picture,
            text: item.text,
            marks: JSON.stringify(item.marks),
            tag: tags.get(item.tag ?? '') ?? null,
          })
          .execute(),
      );
    }
  }
}

async function insertAnnotations(
  { tables }: Context,
  items: ExportedItems['annotations'],
  toSharedColumns: ToSharedColumns,
): Promise<void> {
  const comments = items.flatMap(({ uid: annotation, comments: itemComments }) =>
    itemComments.map(({ uid, text, author, createdAt }) => ({
      uid,
      annotation,
      text,
      author: noAccount,
      author_name: author,
      created_at: createdAt,
    })),
  );
  await tables.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('annotation')
      .values(
        items.flatMap((item) => {
          const { kind, text, temperature, status, points } = item;
          const sharedColumns = toSharedColumns(item);
          return sharedColumns
            ? [{ ...sharedColumns, kind, text, temperature, status, points: JSON.stringify(points) }]
            : [];
        }),
      )
      .execute();
    await sql`
      insert into annotate.annotation_comment (uid, annotation, text, author, author_name, created_at)
      select uid, annotation, text, author, author_name, created_at
      from jsonb_to_recordset(${JSON.stringify(comments)}::jsonb) as imported (uid uuid, annotation uuid, text text,
        author text, author_name text, created_at timestamptz)`.execute(transaction);
  });
}

async function storePicture(
  { files }: Context,
  source: SiteImport,
  { name, location, picture, thumbnail }: ExportedItems['snapshots'][number],
): Promise<string> {
  const entries = await Promise.all(
    [
      ['picture.jpg', picture],
      ['thumbnail.jpg', thumbnail],
    ].map(async ([path, file]) => ({ path: path!, content: await readFile(source.requireFile(file!).path) })),
  );
  const { id } = await files.putFolder(
    { name, mediaType: 'image/jpeg', audience: { kind: 'location', location, guard: snapshotGuard } },
    entries,
  );
  return id;
}
