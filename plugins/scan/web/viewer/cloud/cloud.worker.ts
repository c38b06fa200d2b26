import createLazPerf from 'laz-perf/lib/worker/laz-perf.js';
import lazPerfAddress from 'laz-perf/lib/worker/laz-perf.wasm';
import { CloudUnreadable, fetchBytes, type NodeAddress } from './cloud-node.ts';
import { decodeLaz, type LazPerf } from './decode-laz.ts';
import { decodeTile, type DecodedTile } from './decode-tile.ts';

export interface WorkerPart {
  readonly id: number;
  readonly address: NodeAddress;
}

/**
 * A message to the worker: load nodes that share one request (`joinedRanges`), cancel one of them, or preload the COPC
 * decoder.
 */
export type WorkerRequest =
  | { readonly parts: readonly WorkerPart[] }
  | { readonly id: number; readonly abort: true }
  | { readonly prepare: 'COPC' };
export type WorkerReply =
  | { readonly id: number; readonly tile: DecodedTile }
  | { readonly id: number; readonly reason: string; readonly refused: boolean };

/** The pending nodes, and the controllers that abort their requests. */
const running = new Map<number, { readonly controller: AbortController; readonly parts: readonly WorkerPart[] }>();
let laz: Promise<LazPerf> | undefined;

/** Fetches the bytes of all nodes, one buffer each. */
async function fetchParts(parts: readonly WorkerPart[], signal: AbortSignal): Promise<readonly Uint8Array[]> {
  const [first] = parts;
  if (first?.address.kind !== 'COPC') return first ? [await fetchBytes(first.address.url, signal)] : [];
  const ranges = parts.flatMap(({ address }) => (address.kind === 'COPC' ? [address] : []));
  const offset = Math.min(...ranges.map((range) => range.offset));
  const end = Math.max(...ranges.map((range) => range.offset + range.bytes));
  const bytes = await fetchBytes(first.address.url, signal, { offset, bytes: end - offset });
  return ranges.map((range) => bytes.subarray(range.offset - offset, range.offset - offset + range.bytes));
}

function lazDecoder(): Promise<LazPerf> {
  laz ??= createLazPerf({ locateFile: () => lazPerfAddress }).catch((error: unknown) => {
    laz = undefined;
    throw error;
  });
  return laz;
}

async function decode(address: NodeAddress, bytes: Uint8Array): Promise<DecodedTile> {
  if (address.kind === 'TILE') return decodeTile(bytes);
  const decoder = await lazDecoder();
  try {
    return decodeLaz(decoder, bytes, address);
  } catch (error) {
    // After an error, the decoder's heap is in an unknown state.
    laz = undefined;
    throw error;
  }
}

function reportFailure(id: number, error: unknown): void {
  const reply: WorkerReply = {
    id,
    reason: error instanceof Error ? error.message : String(error),
    refused: error instanceof CloudUnreadable && error.refused,
  };
  if (running.has(id)) postMessage(reply);
}

async function answer(parts: readonly WorkerPart[]): Promise<void> {
  const controller = new AbortController();
  for (const { id } of parts) running.set(id, { controller, parts });
  try {
    const bytes = await fetchParts(parts, controller.signal);
    for (const [index, { id, address }] of parts.entries()) {
      const own = bytes[index];
      if (!own || !running.has(id)) continue;
      try {
        const tile = await decode(address, own);
        const reply: WorkerReply = { id, tile };
        if (running.has(id)) postMessage(reply, { transfer: tile.blocks.map((block) => block.bytes.buffer) });
      } catch (error) {
        reportFailure(id, error);
      }
    }
  } catch (error) {
    for (const { id } of parts) reportFailure(id, error);
  } finally {
    for (const { id } of parts) running.delete(id);
  }
}

function abort(id: number): void {
  const entry = running.get(id);
  running.delete(id);
  if (entry?.parts.every((part) => !running.has(part.id))) entry.controller.abort();
}

addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  if ('abort' in data) abort(data.id);
  else if ('prepare' in data) {
    // The error is reported to the request that needs the decoder.
    lazDecoder().catch(() => undefined);
  } else void answer(data.parts);
});
