import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enabledPlugin, FileStore, LocationStore } from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { tour, tourManifest } from '#plugins/tour/testing/server';
import manifest from '../../plugin.ts';
import { buildBoxesGlb } from '../../testing/server/box-model.ts';
import { insertPublishedModels } from '../../testing/server/model-rows.ts';
import model3d from '../index.ts';
import { modelSchema, type ModelTables } from '../tables.ts';
import { createModelSurfaces, readTriangles } from './model-surfaces.ts';

describeOnDatabases('surfaces of models', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(manifest, { engine: 'builtin' }, model3d)],
    });
    const build = (uid: string, parent: string | null) =>
      ({ uid, name: uid, label: uid, parent, root: 'site', locationType: 'PLATFORM_UNIT' }) as const;
    await server.service(LocationStore).upsert([build('site', null), build('unit', 'site'), build('other', 'site')]);
  });
  afterAll(() => server.close());

  const getContext = () => ({
    tables: server.database.of<ModelTables>(modelSchema),
    files: server.service(FileStore),
  });
  const readBounds = async (...locations: string[]) => {
    let triangles = 0;
    const bounds = [0, 1, 2].map(() => ({ min: Infinity, max: -Infinity }));
    for await (const part of readTriangles(getContext(), locations, new AbortController().signal)) {
      triangles += part.length / 9;
      for (const [index, value] of part.entries()) {
        const bound = bounds[index % 3]!;
        bound.min = Math.min(bound.min, value);
        bound.max = Math.max(bound.max, value);
      }
    }
    return {
      triangles,
      bounds: bounds.map(({ min, max }) => [min, max].map((value) => Math.round(value * 1e6) / 1e6)),
    };
  };

  it('are the triangles of single files and of the finest tiles, in the site frame', async () => {
    const files = server.service(FileStore);
    const audience = { kind: 'location', location: 'unit' } as const;
    const glb = Buffer.from(await buildBoxesGlb(2));
    const file = await files.put({ name: 'm.glb', mediaType: 'model/gltf-binary', audience }, glb);
    const tile = (uri: string, children: unknown[] = [], refine = 'REPLACE') => ({
      refine,
      content: { uri },
      children,
    });
    const tileset = { root: tile('coarse.glb', [tile('tiles/1.glb.gz'), tile('tiles/2.glb.gz')]) };
    const folder = await files.putFolder({ name: 'm', mediaType: 'application/octet-stream', audience }, [
      { path: 'tileset.json', content: Buffer.from(JSON.stringify(tileset)) },
      { path: 'coarse.glb', content: new Uint8Array([1]) },
      { path: 'tiles/1.glb.gz', content: gzipSync(glb) },
      { path: 'tiles/2.glb.gz', content: gzipSync(glb) },
    ]);
    expect(await createModelSurfaces(getContext()).hasSurfaces(['unit'])).toBe(false);
    // Boxes at x 0 and 2, 2 to 3 m north in the file, turned by 90 degrees clockwise and doubled.
    const pose = JSON.stringify({ position: [100, 200, 5], heading: 90, scale: 2 });
    await insertPublishedModels(server.database, ['single'], [], { location: 'unit', file: file.id, pose });
    expect(await readBounds('unit')).toEqual({
      triangles: 24,
      bounds: [
        [104, 106],
        [194, 200],
        [5, 7],
      ],
    });
    await insertPublishedModels(server.database, ['tiled'], [], {
      location: 'site',
      file: folder.id,
      tiles: 3,
    });
    expect([
      (await readBounds('site', 'unit')).triangles,
      (await readBounds('site', 'other')).triangles,
      (await readBounds('unit')).triangles,
    ]).toEqual([72, 48, 24]);
  });
});
