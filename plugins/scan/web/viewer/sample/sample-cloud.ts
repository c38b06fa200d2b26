import type { CloudNode, OpenCloud } from '../cloud/cloud-node.ts';
import { generateSamplePoints } from './sample-room.ts';

/** Rows of the sample, which give about 100,000 points. */
const rows = 280;
/** Bytes per point. It has three floats, a colour, and an intensity with two bytes of padding. */
const stride = 20;

/** Creates the sample as a point cloud of one node that is already decoded. */
export function createSampleCloud(): OpenCloud {
  const hits = [...generateSamplePoints(rows)];
  const block = new DataView(new ArrayBuffer(hits.length * stride));
  const minimum: [number, number, number] = [Infinity, Infinity, Infinity];
  const maximum: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const [index, { point, color }] of hits.entries()) {
    const offset = index * stride;
    for (const axis of [0, 1, 2] as const) {
      block.setFloat32(offset + 4 * axis, point[axis], true);
      block.setUint8(offset + 12 + axis, color[axis]);
      minimum[axis] = Math.min(minimum[axis], point[axis]);
      maximum[axis] = Math.max(maximum[axis], point[axis]);
    }
    block.setUint8(offset + 15, 255);
    block.setUint16(offset + 16, 257 * Math.round((color[0] + color[1] + color[2]) / 3), true);
  }
  const root: CloudNode = {
    key: 'sample',
    box: { minimum, maximum },
    cube: { minimum, edge: Math.max(...maximum.map((value, axis) => value - minimum[axis]!)) },
    count: hits.length,
    spacing: 0.04,
    source: { kind: 'TILE', url: 'sample' },
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
