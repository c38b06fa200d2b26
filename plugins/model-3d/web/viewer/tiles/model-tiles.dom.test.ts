import { Matrix4, PerspectiveCamera } from 'three';
import { expect, it, vi } from 'vitest';
import { ModelTiles } from './model-tiles.ts';

/** A tile with descendants. A distant view visits only the uppermost tile. */
const buildTile = (depth: number): object => ({
  boundingVolume: { box: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
  geometricError: 0.001 * depth,
  refine: 'ADD',
  content: { uri: `tiles/${depth}.glb` },
  ...(depth > 1 ? { children: [buildTile(depth - 1)] } : {}),
});

it('[TOUR-13] retries a failed tile whose descendants were never visited', async () => {
  const fetch = vi.fn((address: string) => Promise.reject<ArrayBuffer>(new Error(`${address} cannot be reached`)));
  const consoleError = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const tileset = JSON.stringify({ asset: { version: '1.1' }, geometricError: 1, root: buildTile(5) });
  const tiles = new ModelTiles(
    {
      url: '/api/files/a/tileset.json',
      tileset,
      fetch,
      tilesetToSite: new Matrix4(),
      glbToSite: new Matrix4(),
      findObject: () => 0,
    },
    { origin: [0, 0, 0], add: () => undefined, remove: () => undefined, requestFrame: () => undefined },
  );
  const camera = new PerspectiveCamera(60, 1, 0.1, 1000);
  camera.position.set(0, 0, 50);
  camera.updateMatrixWorld();
  const waitForFailure = (): Promise<void> =>
    vi.waitFor(() => {
      tiles.update(camera, 500);
      expect(tiles.state.failedCount).toBe(1);
    });
  await waitForFailure();
  tiles.retry();
  expect(tiles.state.failedCount).toBe(0);
  await waitForFailure();
  expect(fetch).toHaveBeenCalledTimes(2);
  tiles.dispose();
  consoleError.mockRestore();
});
