import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { toRadians } from '#core';
import { atLocation, type FileStore, type ServerContext } from '#core/server';
import type { SurfaceProvider } from '#plugins/tour';
import type { ModelPose } from '../../contract/index.ts';
import type { ModelTables } from '../tables.ts';
import { castRanges } from './range-caster.ts';

type Context = Pick<ServerContext<ModelTables>, 'tables' | 'files'>;

/** Provides the surfaces of the published models. */
export const createModelSurfaces = (context: Context): SurfaceProvider => ({
  source: 'MODEL',
  hasSurfaces: async (locations) => (await listModels(context, locations)).length > 0,
  computeRanges: (locations, views, signal) => castRanges(views, readTriangles(context, locations, signal), signal),
});

const listModels = ({ tables }: Context, locations: readonly string[]) =>
  tables
    .selectFrom('model')
    .select(['file', 'tiles', 'pose'])
    .where(atLocation('location', locations))
    .where('file', 'is not', null)
    .orderBy('uid')
    .$narrowType<{ file: string }>()
    .execute();

/**
 * Yields the triangles of the models at these locations in batches of at most some hundred thousand. Each triangle has
 * nine numbers: x, y and z of three corners, in the site frame, in metres.
 */
export async function* readTriangles(
  context: Context,
  locations: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Float64Array> {
  const worker = new Worker(new URL('./read-triangles-worker.mjs', import.meta.url));
  const call = async (step: string, input: object = {}): Promise<Float64Array | undefined> => {
    const reply = once(worker, 'message', { signal });
    worker.postMessage({ step, ...input });
    const [triangles] = (await reply) as [Float64Array | undefined];
    return triangles;
  };
  try {
    for (const { file, tiles, pose } of await listModels(context, locations)) {
      const matrix = toMatrix(pose).toArray();
      for (const tilePath of tiles > 0 ? await listFinestTiles(context.files, file) : [undefined]) {
        await call('open', { bytes: await buffer(await context.files.read(file, undefined, tilePath)), matrix });
        for (let triangles = await call('next'); triangles; triangles = await call('next')) yield triangles;
      }
    }
  } finally {
    await worker.terminate();
  }
}

/** Computes the matrix from the frame of a GLB (y up) to the site frame. */
function toMatrix({ position, heading, scale }: ModelPose): Matrix4 {
  const rotation = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), -toRadians(heading));
  return new Matrix4()
    .compose(new Vector3(...position), rotation, new Vector3(scale, scale, scale))
    .multiply(new Matrix4().makeRotationX(Math.PI / 2));
}

interface Tile {
  readonly refine?: string;
  readonly content?: { readonly uri: string };
  readonly children?: readonly Tile[];
}

/** Lists the tiles that show the model in full detail, which no finer tiles replace. */
async function listFinestTiles(files: FileStore, folder: string): Promise<readonly string[]> {
  const bytes = await buffer(await files.read(folder, undefined, 'tileset.json'));
  const { root } = JSON.parse(bytes.toString()) as { readonly root: Tile };
  const listContentUris = ({ refine, content, children = [] }: Tile): readonly string[] => [
    ...(content && (children.length === 0 || refine === 'ADD') ? [content.uri] : []),
    ...children.flatMap(listContentUris),
  ];
  return listContentUris(root);
}
