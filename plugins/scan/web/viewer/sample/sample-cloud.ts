import type { CloudNode, OpenCloud } from '../cloud/cloud-node.ts';
import { samplePoints } from './sample-room.ts';

/** About 100,000 points. */
const rows = 280;
/** Bytes per point: three floats, colour, and intensity with two bytes of padding. */
const stride = 20;

/** The sample as a point cloud of one node that is already decoded. */
export function sampleCloud(): OpenCloud {
  const hits = [...samplePoints(rows)];
  const block = new DataView(new ArrayBuffer(hits.length * stride));
  const minimum: [number, number, number] = [Infinity, Infinity, Infinity];
  const maximum: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const [index, { point, color }] of hits.entries()) {
    const at = index * stride;
    for (const axis of [0, 1, 2] as const) {
      block.setFloat32(at + 4 * axis, point[axis], true);
      block.setUint8(at + 12 + axis, color[axis]);
      minimum[axis] = Math.min(minimum[axis], point[axis]);
      maximum[axis] = Math.max(maximum[axis], point[axis]);
    }
    block.setUint8(at + 15, 255);
    block.setUint16(at + 16, 257 * Math.round((color[0] + color[1] + color[2]) / 3), true);
  }
  const root: CloudNode = {
    key: 'sample',
    box: { minimum, maximum },
    count: hits.length,
    spacing: 0.04,
    address: { kind: 'TILE', url: 'sample' },
    children: [],
    tile: {
      count: hits.length,
      origin: [0, 0, 0],
      scale: 1,
      blocks: [{ bytes: new Uint8Array(block.buffer), stride }],
      position: { block: 0, offset: 0, type: 'FLOAT32' },
      color: { block: 0, offset: 12 },
      intensity: { block: 0, offset: 16 },
    },
    requestedAt: 0,
  };
  return { root, box: root.box, count: hits.length, colored: true };
}
