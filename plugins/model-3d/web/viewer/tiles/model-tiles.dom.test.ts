import { Matrix4, PerspectiveCamera } from 'three';
import { expect, it, vi } from 'vitest';
import { ModelTiles } from './model-tiles.ts';

/** A tile with descendants, of which a distant view only visits the uppermost. */
const tile = (depth: number): object => ({
  boundingVolume: { box: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
  geometricError: 0.001 * depth,
  refine: 'ADD',
  content: { uri: `tiles/${depth}.glb` },
  ...(depth > 1 ? { children: [tile(depth - 1)] } : {}),
});

it('[TOUR-13] retries a failed tile, also if its descendants were never visited', async () => {
  const fetch = vi.fn((address: string) => Promise.reject<ArrayBuffer>(new Error(`${address} is away`)));
  const said = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const tileset = JSON.stringify({ asset: { version: '1.1' }, geometricError: 1, root: tile(5) });
  const tiles = new ModelTiles(
    {
      address: '/api/files/a/tileset.json',
      tileset,
      fetch,
      frame: new Matrix4(),
      content: new Matrix4(),
      toObject: () => 0,
    },
    { origin: [0, 0, 0], add: () => undefined, remove: () => undefined, draw: () => undefined },
  );
  const camera = new PerspectiveCamera(60, 1, 0.1, 1000);
  camera.position.set(0, 0, 50);
  camera.updateMatrixWorld();
  const failed = (): Promise<void> =>
    vi.waitFor(() => {
      tiles.update(camera, 500);
      expect(tiles.state.failed).toBe(1);
    });
  await failed();
  tiles.retry();
  expect(tiles.state.failed).toBe(0);
  await failed();
  expect(fetch).toHaveBeenCalledTimes(2);
  tiles.dispose();
  said.mockRestore();
});
