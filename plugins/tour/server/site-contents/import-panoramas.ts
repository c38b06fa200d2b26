import { createReadStream } from 'node:fs';
import { sql, type Kysely } from 'kysely';
import {
  findMediaType,
  invalidRequest,
  removeOnFailure,
  type ImportedCounts,
  type ServerContext,
  type SiteImport,
} from '#core/server';
import { receivePanoramas } from '../commands/receive-panoramas.ts';
import { tilePanoramaJob, type TilePanoramaPayload } from '../jobs/tile-panorama.ts';
import { toRangePose } from '../queries/drop-ranges.ts';
import type { TourTables } from '../tables.ts';
import { Panoramas, panoramasFile, type PanoramaRecord } from './panorama-record.ts';

type Context = Pick<ServerContext<TourTables>, 'tables' | 'locations' | 'sites' | 'files' | 'jobs' | 'changes'>;

/** A stored panorama: the current one of its node, or an earlier one. */
interface StoredPanorama {
  readonly node: string;
  readonly code: string;
  /** Null for a current panorama. */
  readonly capture: string | null;
  readonly location: string;
  readonly captured_at: Date;
  readonly panorama_file: string;
  readonly range_file: string | null;
}

const toKey = (code: string, capturedAt: string): string => `${code.toUpperCase()} ${capturedAt}`;

/** Imports panoramas like uploads, newest first, and adds their range images after they are published. */
export async function importPanoramas(context: Context, source: SiteImport): Promise<ImportedCounts> {
  const { site, note, dryRun } = source;
  const records = await source.read(panoramasFile, Panoramas);
  const nodes = await context.tables
    .selectFrom('node')
    .select(['uid', 'code', 'location'])
    .where('site', '=', site)
    .execute();
  const nodeByCode = new Map(nodes.map((node) => [node.code.toUpperCase(), node]));
  const previousPanoramas = await readStored(context, site);
  const hashes = await readHashes(context, [...previousPanoramas.values()]);
  const counts = { added: 0, changed: 0, unchanged: 0 };
  const writtenRecords = new Set<PanoramaRecord>();
  const jobs: string[] = [];
  // Newest first, because an imported panorama becomes the current one only if the viewpoint has no newer one.
  for (const round of toRounds(records)) {
    const startedJobs: { readonly job: string; readonly record: PanoramaRecord }[] = [];
    for (const record of round) {
      const node = nodeByCode.get(record.viewpoint.toUpperCase());
      if (!node && !dryRun) {
        note(
          `A panorama of ${record.viewpoint} was left out: there is no such viewpoint.`,
          `Un panorama de ${record.viewpoint} a été laissé de côté : ce point de vue n’existe pas.`,
        );
        continue;
      }
      const formerPanorama = previousPanoramas.get(toKey(record.viewpoint, record.capturedAt));
      if (formerPanorama && hashes.get(formerPanorama.panorama_file) === source.requireFile(record.picture).sha256)
        continue;
      writtenRecords.add(record);
      counts[formerPanorama ? 'changed' : 'added'] += 1;
      if (!node || dryRun) continue;
      for (const job of await uploadPanorama(context, source, node, record)) startedJobs.push({ job, record });
    }
    for (const { job, record } of startedJobs) await assertSuccess(context, job, record);
    await source.advance(startedJobs.length);
  }
  const storedPanoramas = await readStored(context, site);
  const storedHashes = await readHashes(context, [...storedPanoramas.values()]);
  for (const record of records) {
    const panorama = storedPanoramas.get(toKey(record.viewpoint, record.capturedAt));
    if (!panorama || !record.ranges) continue;
    const { sha256 } = source.requireFile(record.ranges.file);
    if (storedHashes.get(panorama.range_file ?? '') === sha256) continue;
    if (!dryRun) jobs.push(await attachRanges(context, source, panorama, record.ranges));
    if (!writtenRecords.has(record)) counts.changed += 1;
    writtenRecords.add(record);
  }
  await context.jobs.notifyRunners();
  for (const job of jobs) {
    await context.jobs.waitForCompletion(job);
    await source.advance(1);
  }
  counts.unchanged = records.length - writtenRecords.size;
  return counts;
}

/** Groups records into rounds. The first round has the first panorama of each viewpoint, and so on. */
function toRounds(records: readonly PanoramaRecord[]): readonly (readonly PanoramaRecord[])[] {
  const rounds: PanoramaRecord[][] = [];
  const nextRoundByViewpoint = new Map<string, number>();
  for (const record of records.toSorted((a, b) => b.capturedAt.localeCompare(a.capturedAt))) {
    const round = nextRoundByViewpoint.get(record.viewpoint) ?? 0;
    nextRoundByViewpoint.set(record.viewpoint, round + 1);
    (rounds[round] ??= []).push(record);
  }
  return rounds;
}

/** Returns the ids of the jobs. */
async function uploadPanorama(
  context: Context,
  { author, requireFile }: SiteImport,
  node: { readonly uid: string; readonly code: string; readonly location: string },
  { picture, capturedAt, heading, pitch, roll }: PanoramaRecord,
): Promise<readonly string[]> {
  const { path, bytes } = requireFile(picture);
  const name = `${node.code}.${picture.split('.').pop()}`;
  const { jobs } = await receivePanoramas(
    context,
    author.caller,
    node.location,
    { capturedAt, heading, pitch, roll, node: node.uid },
    {
      files: [
        { field: 'file', name, mediaType: findMediaType(picture), bytes, path, stream: () => createReadStream(path) },
      ],
      fields: {},
    },
  );
  return jobs;
}

async function assertSuccess({ jobs }: Context, id: string, { viewpoint }: PanoramaRecord): Promise<void> {
  const { result, message } = await jobs.waitForCompletion(id);
  if (result === 'FAILED') throw invalidRequest(`The panorama of ${viewpoint} was refused: ${message ?? ''}`);
}

async function readStored({ tables }: Context, site: string): Promise<ReadonlyMap<string, StoredPanorama>> {
  const { rows } = await sql<StoredPanorama>`
    select uid as node, code, null as capture, location, captured_at, panorama_file, range_file
    from tour.node where site = ${site} and panorama_file is not null
    union all
    select node.uid, code, capture.uid, location, capture.captured_at, capture.panorama_file, capture.range_file
    from tour.capture join tour.node on node.uid = capture.node where site = ${site}`.execute(tables);
  return new Map(rows.map((row) => [toKey(row.code, row.captured_at.toISOString()), row]));
}

async function readHashes(
  { files }: Context,
  storedPanoramas: readonly StoredPanorama[],
): Promise<ReadonlyMap<string, string>> {
  const ids = storedPanoramas.flatMap(({ panorama_file, range_file }) => [
    panorama_file,
    ...(range_file ? [range_file] : []),
  ]);
  return new Map([...(await files.findAll(ids))].map(([id, { sha256 }]) => [id, sha256]));
}

/** Stores a range image and tiles the panorama with it. Returns the job. */
async function attachRanges(
  context: Context,
  { author, requireFile }: SiteImport,
  { node, code, capture, location }: StoredPanorama,
  { file: name, source }: NonNullable<PanoramaRecord['ranges']>,
): Promise<string> {
  const { files, changes, jobs, tables } = context;
  const { id } = await files.put(
    {
      name: `${code} ranges.${name.split('.').pop()}`,
      mediaType: findMediaType(name),
      audience: { kind: 'location', location },
    },
    createReadStream(requireFile(name).path),
  );
  await removeOnFailure(files, [id], () =>
    changes.apply(
      author,
      { action: 'tour.rangesMade', subject: node, name: code, location },
      async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord(capture === null ? 'node' : 'capture', 'uid', [capture ?? node]);
        await setRanges(transaction, { node, capture, file: id, source });
      },
    ),
  );
  return jobs.start<TilePanoramaPayload>(
    tilePanoramaJob,
    { node, ...(capture === null ? {} : { capture }) },
    null,
    tables,
  );
}

async function setRanges(
  tables: Kysely<TourTables>,
  range: {
    readonly node: string;
    readonly capture: string | null;
    readonly file: string;
    readonly source: NonNullable<PanoramaRecord['ranges']>['source'];
  },
): Promise<void> {
  const { node, capture, file, source } = range;
  const table = capture === null ? 'node' : 'capture';
  const columns = sql`range_file = ${file}, range_source = ${source},
    range_pose = case when ${source}::text is null then null else ${toRangePose(table)} end`;
  if (capture === null) await sql`update tour.node set ${columns} where uid = ${node}`.execute(tables);
  else
    await sql`
      update tour.capture set ${columns} from tour.node
      where node.uid = capture.node and capture.uid = ${capture}`.execute(tables);
}
