import { buffer } from 'node:stream/consumers';
import {
  removeOnFailure,
  tilePanorama,
  tileRange,
  type CameraTilt,
  type FileStore,
  type JobRun,
  type ServerContext,
} from '#core/server';
import { lockNode } from '../queries/lock-node.ts';
import { touchTours } from '../queries/touch-tours.ts';
import { createThumbnail } from './thumbnail.ts';
import type { Pyramid } from './pyramid.ts';
import type { RangeSource, TourTables } from '../tables.ts';

export const tilePanoramaJob = 'tour.tile-panorama';
export interface TilePanoramaPayload {
  /** Uid of the node whose `panorama_file` is tiled. If it has a `range_file`, that is tiled too. */
  readonly node: string;
  /** uid of an earlier capture to tile instead. */
  readonly capture?: string;
  /** New tilt by which picture and thumbnail are levelled. The job does nothing if the panorama has another tilt by now. */
  readonly levelled?: CameraTilt;
}

/** Tiles in the file store and their description in the database. */
export interface TiledFolder {
  readonly folder: string;
  readonly pyramid: Pyramid;
  /** Id of the range image that was tiled with the panorama. */
  readonly ranges: string | null;
}

type Context = Pick<ServerContext<TourTables>, 'tables' | 'files'>;

/**
 * Creates the tiles of a node. The node is updated only after the folder is complete, so that a killed attempt leaves
 * no partial tiles. The job's cursor records the folder, so that a restart reuses it. An attempt that is killed just
 * before that leaves an unused folder.
 */
export async function runTilePanorama(
  context: Context,
  run: JobRun<TilePanoramaPayload>,
): Promise<{ readonly result: 'SUCCESS' | 'FAILED'; readonly message?: string }> {
  const { tables } = context;
  const { node: uid, capture, levelled } = run.payload;
  const node = await findPanorama(context, uid, capture);
  if (!node)
    return {
      result: 'FAILED',
      message: `${capture === undefined ? 'The node' : 'The earlier panorama of the node'} ${uid} does not exist.`,
    };
  if (levelled && !isSameTilt(levelled, node)) return { result: 'SUCCESS' };
  const tiles = (run.cursor as TiledFolder | undefined) ?? (await createTiles(context.files, node.code, node, run));
  const formerFolder = node.pyramid_file;
  const { shown } = node;
  const thumbnail = levelled && shown ? await putThumbnail(context.files, { ...node, ...shown }) : undefined;
  const columns = {
    pyramid_file: tiles.folder,
    pyramid: JSON.stringify(tiles.pyramid),
    ...(thumbnail !== undefined && { thumbnail_file: thumbnail }),
  };
  // False if an import changed the node's panorama in the meantime.
  const isCurrent = await tables.transaction().execute(async (transaction) => {
    // An import locks node, capture and tour in the same order.
    await lockNode(transaction, uid);
    const { numUpdatedRows } =
      capture === undefined
        ? await transaction
            .updateTable('node')
            .set(columns)
            .where('uid', '=', uid)
            .where('panorama_file', '=', node.panorama_file)
            .where('pitch', '=', node.pitch)
            .where('roll', '=', node.roll)
            .executeTakeFirst()
        : await transaction
            .updateTable('capture')
            .set(columns)
            .where('uid', '=', capture)
            .where('panorama_file', '=', node.panorama_file)
            .executeTakeFirst();
    if (numUpdatedRows > 0n) await touchTours(transaction, 'uid', node.tour);
    return numUpdatedRows > 0n;
  });
  if (!isCurrent) {
    for (const file of [tiles.folder, thumbnail]) if (file !== undefined) await context.files.remove(file);
    return {
      result: 'FAILED',
      message: `The panorama of the node ${node.code} was replaced while its tiles were created.`,
    };
  }
  const unusedFiles = [
    formerFolder === tiles.folder ? null : formerFolder,
    thumbnail === undefined ? null : (shown?.thumbnail_file ?? null),
  ];
  for (const file of unusedFiles) if (file !== null) await context.files.remove(file);
  return { result: 'SUCCESS' };
}

const isSameTilt = (a: CameraTilt, b: CameraTilt): boolean => a.pitch === b.pitch && a.roll === b.roll;

/** Creates the thumbnail of a levelled picture. Returns the id of its file. */
async function putThumbnail(
  files: FileStore,
  node: CameraTilt & {
    readonly code: string;
    readonly location: string;
    readonly heading: number;
    readonly view_pan: number;
    readonly view_tilt: number;
    readonly panorama_file: string;
  },
): Promise<string> {
  const picture = await buffer(await files.read(node.panorama_file));
  const image = await createThumbnail(picture, node, { pan: node.view_pan, tilt: node.view_tilt });
  const audience = { kind: 'location', location: node.location } as const;
  return (await files.put({ name: `${node.code}.jpg`, mediaType: 'image/jpeg', audience }, image)).id;
}

async function findPanorama(context: Context, node: string, capture: string | undefined) {
  const { tables } = context;
  if (capture === undefined) {
    const row = await tables
      .selectFrom('node')
      .select(['code', 'tour', 'location', 'pitch', 'roll', 'panorama_file', 'pyramid_file'])
      .select(['range_file', 'range_source', 'heading', 'view_pan', 'view_tilt', 'thumbnail_file'])
      .where('uid', '=', node)
      .where('panorama_file', 'is not', null)
      .$narrowType<{ panorama_file: string }>()
      .executeTakeFirst();
    if (!row) return undefined;
    const { heading, view_pan, view_tilt, thumbnail_file, ...panorama } = row;
    return { ...panorama, shown: { heading, view_pan, view_tilt, thumbnail_file } };
  }
  const earlierCapture = await tables
    .selectFrom('capture')
    .innerJoin('node', 'node.uid', 'capture.node')
    .select([
      'node.code',
      'node.tour',
      'node.location',
      'capture.pitch',
      'capture.roll',
      'capture.panorama_file',
      'capture.range_file',
      'capture.range_source',
      'capture.pyramid_file',
    ])
    .where('capture.uid', '=', capture)
    .executeTakeFirst();
  return earlierCapture && { ...earlierCapture, shown: undefined };
}

/** Cuts the levelled panorama and its ranges, if any, into tiles. Records the folder in the job's cursor. */
export async function createTiles(
  files: FileStore,
  code: string,
  node: CameraTilt & {
    readonly location: string;
    readonly panorama_file: string;
    readonly range_file: string | null;
    readonly range_source: RangeSource | null;
  },
  run: Pick<JobRun<unknown>, 'signal' | 'progress'>,
): Promise<TiledFolder> {
  const panorama = await tilePanorama(await buffer(await files.read(node.panorama_file)), node);
  const range = node.range_file === null ? undefined : await tileRange(await buffer(await files.read(node.range_file)));
  const { tileSize, levels } = panorama.description;
  const rangeFileCount = range ? range.description.columns * range.description.rows + 1 : 0;
  const total = levels.reduce((sum, level) => sum + level.columns * level.rows, 1 + rangeFileCount);

  async function* listEntries() {
    let doneCount = 0;
    for (const entries of range ? [panorama.entries, range.entries] : [panorama.entries]) {
      for await (const entry of entries) {
        run.signal.throwIfAborted();
        yield entry;
        doneCount++;
        if (doneCount % 16 === 0) await run.progress({ done: doneCount, total });
      }
    }
  }

  const folder = await files.putFolder(
    {
      name: `${code} tiles`,
      mediaType: 'application/octet-stream',
      audience: { kind: 'location', location: node.location },
    },
    listEntries(),
  );
  const cursor: TiledFolder = {
    folder: folder.id,
    ranges: node.range_file,
    pyramid: {
      tileSize,
      levels: levels.map(({ width, height, columns, rows }) => ({ width, height, columns, rows })),
      mesh: range !== undefined,
      ...(range && {
        ranges: {
          width: range.description.width,
          height: range.description.height,
          tileSize: range.description.tileSize,
          ...(node.range_source && { source: node.range_source }),
        },
      }),
    },
  };
  await removeOnFailure(files, [folder.id], () => run.progress({ done: total, total, cursor }));
  return cursor;
}
