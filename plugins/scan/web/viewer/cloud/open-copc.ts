import { CloudUnreadable, fetchBytes, type CloudNode, type OpenCloud } from './cloud-node.ts';

const headerLength = 589;
const entryLength = 32;
const maxPageBytes = 16 << 20;

type Vector = readonly [number, number, number];
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface FileInfo {
  readonly url: string;
  /** Lowest corner of the cube around all points. */
  readonly corner: Vector;
  /** Length of the edges of this cube, metres. */
  readonly edge: number;
  /** Spacing of the points of the root node, metres. */
  readonly spacing: number;
  readonly format: number;
  readonly pointLength: number;
  readonly scale: Vector;
  readonly shift: Vector;
}

/**
 * Opens a COPC 1.0 file (copc.io) by range requests. Reads the header and the root page of the hierarchy, and other
 * pages on demand. Throws `CloudUnreadable`.
 */
export async function openCopc(url: string, signal?: AbortSignal): Promise<OpenCloud> {
  const bytes = await fetchBytes(url, signal, { offset: 0, bytes: headerLength });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const readText = (at: number, length: number): string => String.fromCharCode(...bytes.subarray(at, at + length));
  if (readText(0, 4) !== 'LASF' || readText(377, 4) !== 'copc')
    throw new CloudUnreadable('The file is not a COPC file.');
  const readVector = (at: number, step = 8): Vector => [
    view.getFloat64(at, true),
    view.getFloat64(at + step, true),
    view.getFloat64(at + 2 * step, true),
  ];
  const [centre, halfEdge] = [readVector(429), view.getFloat64(453, true)];
  const info: FileInfo = {
    url,
    corner: [centre[0] - halfEdge, centre[1] - halfEdge, centre[2] - halfEdge],
    edge: 2 * halfEdge,
    spacing: view.getFloat64(461, true),
    format: view.getUint8(104) & 63,
    pointLength: view.getUint16(105, true),
    scale: readVector(131),
    shift: readVector(155),
  };
  if (![6, 7, 8].includes(info.format) || !(info.edge > 0) || !(info.spacing > 0))
    throw new CloudUnreadable('The COPC file is damaged or has a format that this viewer does not know.');
  const nodes = new Map<string, Mutable<CloudNode>>();
  await readPage(info, nodes, Number(view.getBigUint64(469, true)), Number(view.getBigUint64(477, true)), signal);
  const root = nodes.get('0-0-0-0');
  if (!root) throw new CloudUnreadable('The COPC file has no points.');
  return {
    root,
    box: { minimum: readVector(187, 16), maximum: readVector(179, 16) },
    count: Number(view.getBigUint64(247, true)),
    colored: info.format !== 6,
  };
}

async function readPage(
  info: FileInfo,
  nodes: Map<string, Mutable<CloudNode>>,
  offset: number,
  bytes: number,
  signal?: AbortSignal,
): Promise<void> {
  if (!(bytes > 0 && bytes <= maxPageBytes && bytes % entryLength === 0))
    throw new CloudUnreadable('The table of nodes in the COPC file is damaged.');
  const page = await fetchBytes(info.url, signal, { offset, bytes });
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  for (let at = 0; at < bytes; at += entryLength) {
    const key = [0, 4, 8, 12].map((step) => view.getInt32(at + step, true)) as [number, number, number, number];
    const [level] = key;
    const count = view.getInt32(at + 28, true);
    if (level < 0 || level > 40 || count < -1)
      throw new CloudUnreadable('The table of nodes in the COPC file is damaged.');
    const size = view.getInt32(at + 24, true);
    const pointsOffset = Number(view.getBigUint64(at + 16, true));
    // The page of a node repeats the entry of the node itself.
    if (count === -1) addNode(nodes, key, createPageNode(info, nodes, key, pointsOffset, size));
    else {
      const { url, format, pointLength, scale, shift } = info;
      const node = createNode(info, key, count);
      addNode(nodes, key, {
        ...node,
        source:
          count === 0
            ? undefined
            : {
                kind: 'COPC',
                url,
                offset: pointsOffset,
                bytes: size,
                count,
                format,
                pointLength,
                scale,
                shift,
                box: node.box,
              },
      });
    }
  }
}

function addNode(
  nodes: Map<string, Mutable<CloudNode>>,
  key: readonly [number, number, number, number],
  node: Mutable<CloudNode>,
): void {
  const name = key.join('-');
  const existingNode = nodes.get(name);
  if (existingNode) {
    Object.assign(existingNode, { count: node.count, source: node.source });
    delete existingNode.expand;
    return;
  }
  nodes.set(name, node);
  const [level, x, y, z] = key;
  const parent = level > 0 ? nodes.get([level - 1, x >> 1, y >> 1, z >> 1].join('-')) : undefined;
  if (parent) parent.children = [...parent.children, node];
}

function createNode(
  info: FileInfo,
  [level, ...cell]: readonly [number, number, number, number],
  count: number,
): Mutable<CloudNode> {
  const edge = info.edge / 2 ** level;
  const corner = (side: 0 | 1): Vector =>
    [0, 1, 2].map((axis) => info.corner[axis]! + (cell[axis]! + side) * edge) as [number, number, number];
  return {
    key: [level, ...cell].join('-'),
    box: { minimum: corner(0), maximum: corner(1) },
    cube: { minimum: corner(0), edge },
    count,
    spacing: info.spacing / 2 ** level,
    source: undefined,
    children: [],
    tile: undefined,
    requestedAt: 0,
  };
}

function createPageNode(
  info: FileInfo,
  nodes: Map<string, Mutable<CloudNode>>,
  key: readonly [number, number, number, number],
  offset: number,
  bytes: number,
): Mutable<CloudNode> {
  let pendingRead: Promise<void> | undefined;
  const read = (): Promise<void> =>
    readPage(info, nodes, offset, bytes).catch((error: unknown) => {
      pendingRead = undefined;
      throw error;
    });
  return { ...createNode(info, key, 0), expand: () => (pendingRead ??= read()) };
}
