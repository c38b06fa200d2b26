import { describe, expect, it, vi } from 'vitest';
import { CloudDepth } from './cloud-depth.ts';
import type { CloudNode } from './cloud-node.ts';
import { NodeLoader } from './node-loader.ts';

/** Builds the depth of a cloud whose only node never loads. */
function setup() {
  const root: CloudNode = {
    key: 'root',
    box: { minimum: [-1, 4, -1], maximum: [1, 5, 1] },
    cube: { minimum: [-1, 4, -1], edge: 2 },
    count: 1,
    spacing: 1,
    source: { kind: 'TILE', url: 'root' },
    children: [],
    tile: undefined,
    requestedAt: 0,
  };
  const postMessage = vi.fn();
  const buildWorker = () => ({
    postMessage,
    terminate: () => undefined,
    onmessage: null,
    onerror: null,
  });
  const depth = new CloudDepth(
    { root, box: root.box, count: 1, colored: false },
    (onLoaded, onFailed) => new NodeLoader(onLoaded, onFailed, buildWorker),
  );
  return { depth, postMessage };
}
const ray = { origin: [0, 0, 0], direction: [0, 1, 0], pixelRadians: 0.001 } as const;

describe('CloudDepth', () => {
  it('[TOUR-21] rejects pending and later picks after it was closed', async () => {
    const { depth, postMessage } = setup();
    const picks = [depth.pick(ray), depth.pick(ray)];
    await vi.waitFor(() => expect(postMessage).toHaveBeenCalled());
    depth.close();
    for (const pick of [...picks, depth.pick(ray)]) await expect(pick).rejects.toThrow('closed');
  });
});
