import type { DecodedTile } from './decode-tile.ts';
import type { Box } from './cloud-camera.ts';

/** How a worker gets the points of one node. */
export type NodeAddress =
  | { readonly kind: 'TILE'; readonly url: string }
  | {
      readonly kind: 'COPC';
      readonly url: string;
      /** Of the compressed points in the file. */
      readonly offset: number;
      readonly bytes: number;
      readonly count: number;
      readonly format: number;
      readonly length: number;
      readonly scale: readonly [number, number, number];
      readonly shift: readonly [number, number, number];
      /** Where its points lie. */
      readonly box: Box;
    };

/** Some points of a cloud that are fetched and drawn together; those of its children are added to them. */
export interface CloudNode {
  readonly key: string;
  readonly box: Box;
  readonly count: number;
  /** Metres between its points, roughly. */
  readonly spacing: number;
  /** Undefined where it has no points of its own. */
  readonly address: NodeAddress | undefined;
  /** Known so far; may grow. */
  readonly children: readonly CloudNode[];
  /** Fetches children that are not known yet, once unless it failed; undefined where all are. */
  readonly expand?: () => Promise<void>;
  tile: DecodedTile | undefined;
  /** Frame in which it was last wanted. */
  wantedAt: number;
}

/** A cloud whose points can be fetched node by node. */
export interface OpenCloud {
  readonly root: CloudNode;
  readonly box: Box;
  readonly count: number;
  readonly colored: boolean;
}

/** A cloud that cannot be shown. The message says why. */
export class CloudUnreadable extends Error {
  override readonly name = 'CloudUnreadable';
  /** The server does not let this person read it, at least not now. */
  readonly refused: boolean;

  constructor(message: string, { refused = false, ...options }: ErrorOptions & { readonly refused?: boolean } = {}) {
    super(message, options);
    this.refused = refused;
  }
}

export async function fetchBytes(
  url: string,
  signal?: AbortSignal,
  range?: { readonly offset: number; readonly bytes: number },
): Promise<Uint8Array> {
  const response = await fetch(url, {
    credentials: 'include',
    ...(signal ? { signal } : {}),
    ...(range ? { headers: { range: `bytes=${range.offset}-${range.offset + range.bytes - 1}` } } : {}),
  });
  if (!response.ok)
    throw new CloudUnreadable(`The server answered ${response.status} for a part of the point cloud.`, {
      refused: response.status === 403,
    });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!range || bytes.length === range.bytes) return bytes;
  // A server that knows no ranges sends the whole file.
  if (response.status === 200 && bytes.length >= range.offset + range.bytes)
    return bytes.subarray(range.offset, range.offset + range.bytes);
  throw new CloudUnreadable('A part of the point cloud is cut off.');
}
