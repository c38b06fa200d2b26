import { isDeepStrictEqual } from 'node:util';
import type { Insertable } from 'kysely';
import { Type, type Static } from 'typebox';
import { Instant, Point } from '#core/api';
import {
  atLocation,
  matchesAny,
  type ImportedCounts,
  type ServerContext,
  type SiteContent,
  type SiteExport,
  type SiteImport,
} from '#core/server';
import { SavedTie } from '../../contract/api/alignment.ts';
import { maxTies } from '../../contract/values/alignment-values.ts';
import type { TourTables } from '../tables.ts';
import { toJson } from './tour-content.ts';

type Context = Pick<ServerContext<TourTables>, 'tables' | 'changes'>;

const alignmentsFile = 'alignments.json';
const Alignments = Type.Array(
  Type.Object({
    viewpoint: Type.String(),
    /** Capture time of the panorama that contains the ties. */
    capturedAt: Instant,
    /** The fitted pose. */
    position: Point,
    heading: Type.Number(),
    /** Largest residual of the used ties, degrees. */
    residual: Type.Number({ minimum: 0 }),
    ties: Type.Array(SavedTie, { minItems: 1, maxItems: maxTies }),
    alignedAt: Instant,
  }),
);
type ExportedAlignment = Static<typeof Alignments>[number];

/** Exports and imports the ties in current panoramas that were used to align viewpoints. */
export const createAlignmentContent = (context: ServerContext<TourTables>): SiteContent => ({
  id: 'alignments',
  title: { en: 'Tie points of alignments', fr: 'Points d’appui' },
  frenchCountLabels: { alignments: 'alignements' },
  folder: 'alignments',
  // Alignments refer to panoramas, so panoramas are imported first.
  order: 45,
  export: (siteExport) => exportAlignments(context, siteExport),
  check: async ({ read }) => void (await read(alignmentsFile, Alignments)),
  import: (source) => importAlignments(context, source),
});

const selectCurrent = ({ tables }: Context) =>
  tables
    .selectFrom('alignment')
    .innerJoin('node', 'node.uid', 'alignment.node')
    .whereRef('node.panorama_file', '=', 'alignment.panorama_file')
    .select(['alignment.x', 'alignment.y', 'alignment.z', 'alignment.heading', 'residual', 'ties', 'aligned_at'])
    .select(['node.code', 'node.captured_at']);

async function readAlignments(query: ReturnType<typeof selectCurrent>): Promise<readonly ExportedAlignment[]> {
  const rows = await query.orderBy('node.code').execute();
  return rows.map(({ code, captured_at, x, y, z, heading, residual, ties, aligned_at }) => ({
    viewpoint: code,
    capturedAt: captured_at!.toISOString(),
    position: [x, y, z],
    heading,
    residual,
    ties: [...ties],
    alignedAt: aligned_at.toISOString(),
  }));
}

async function exportAlignments(context: Context, siteExport: SiteExport): Promise<void> {
  const alignments = await readAlignments(
    selectCurrent(context)
      .where('node.site', '=', siteExport.site)
      .where(atLocation('node.location', siteExport.locations)),
  );
  if (alignments.length === 0) return;
  await siteExport.add(alignmentsFile, toJson(alignments));
  siteExport.count({ alignments: alignments.length });
}

async function importAlignments(
  context: Context,
  { site, author, read, note, dryRun }: SiteImport,
): Promise<ImportedCounts> {
  const { tables, changes } = context;
  const input = await read(alignmentsFile, Alignments);
  const nodes = await tables
    .selectFrom('node')
    .select(['uid', 'code', 'captured_at', 'panorama_file'])
    .where('site', '=', site)
    .where('panorama_file', 'is not', null)
    .execute();
  const nodeByCode = new Map(nodes.map((node) => [node.code.toUpperCase(), node]));
  const currentByCode = new Map(
    (await readAlignments(selectCurrent(context).where('node.site', '=', site))).map((alignment) => [
      alignment.viewpoint.toUpperCase(),
      alignment,
    ]),
  );
  const counts = { added: 0, changed: 0, unchanged: 0 };
  const rows: Insertable<TourTables['alignment']>[] = [];
  for (const { viewpoint, ...alignment } of input) {
    const node = nodeByCode.get(viewpoint.toUpperCase());
    const hasPanorama = node?.captured_at?.toISOString() === alignment.capturedAt;
    if (!hasPanorama && !dryRun) {
      note(
        `The tie points of ${viewpoint} were left out: it has another panorama here.`,
        `Les points d’appui de ${viewpoint} ont été laissés de côté : il a un autre panorama ici.`,
      );
      continue;
    }
    const { viewpoint: _viewpoint, ...former } = currentByCode.get(viewpoint.toUpperCase()) ?? { viewpoint };
    if (isDeepStrictEqual(former, alignment)) {
      counts.unchanged += 1;
      continue;
    }
    counts['ties' in former ? 'changed' : 'added'] += 1;
    const { position, heading, residual, ties, alignedAt } = alignment;
    if (node?.panorama_file)
      rows.push({
        node: node.uid,
        x: position[0],
        y: position[1],
        z: position[2],
        heading,
        residual,
        ties: JSON.stringify(ties),
        tie_count: ties.filter(({ used }) => used).length,
        aligned_at: alignedAt,
        panorama_file: node.panorama_file,
      });
  }
  if (rows.length > 0 && !dryRun) {
    const uids = rows.map(({ node }) => node);
    await changes.apply(
      author,
      { action: 'tour.nodesAligned', subject: uids[0]!, name: site, location: site },
      async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('alignment', 'node', uids);
        await transaction.deleteFrom('alignment').where(matchesAny('node', uids)).execute();
        await transaction.insertInto('alignment').values(rows).execute();
      },
    );
  }
  return counts;
}
