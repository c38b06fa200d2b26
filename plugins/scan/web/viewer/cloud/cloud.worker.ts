import createLazPerf from 'laz-perf/lib/worker/laz-perf.js';
import lazPerfUrl from 'laz-perf/lib/worker/laz-perf.wasm';
import { CloudUnreadable, fetchBytes, type NodeSource } from './cloud-node.ts';
import { decodeLaz, type LazPerf } from './decode-laz.ts';
import { decodeTile, type DecodedTile } from '../../../common/decode-tile.ts';

export interface WorkerPart {
  readonly id: number;
  readonly source: NodeSource;
}

/**
 * A message to the worker. It loads nodes that share one request (`joinRanges`), cancels one of them, or preloads the
 * COPC decoder.
 */
export type WorkerRequest =
  | { readonly parts: readonly WorkerPart[] }
  | { readonly id: number; readonly abort: true }
  | { readonly prepare: 'COPC' };
export type WorkerReply =
  | { readonly id: number; readonly tile: DecodedTile }
  | { readonly id: number; readonly reason: string; readonly refused: boolean };

/** The nodes that are loading, with the controllers that abort their requests. */
const pendingNodes = new Map<number, { readonly controller: AbortController; readonly parts: readonly WorkerPart[] }>();
let decoderPromise: Promise<LazPerf> | undefined;

/** Fetches the bytes of each node. */
async function fetchParts(parts: readonly WorkerPart[], signal: AbortSignal): Promise<readonly Uint8Array[]> {
  const [first] = parts;
  if (first?.source.kind !== 'COPC') return first ? [await fetchBytes(first.source.url, signal)] : [];
  const ranges = parts.flatMap(({ source }) => (source.kind === 'COPC' ? [source] : []));
  const offset = Math.min(...ranges.map((range) => range.offset));
  const end = Math.max(...ranges.map((range) => range.offset + range.bytes));
  const bytes = await fetchBytes(first.source.url, signal, { offset, bytes: end - offset });
  return ranges.map((range) => bytes.subarray(range.offset - offset, range.offset - offset + range.bytes));
}

function loadDecoder(): Promise<LazPerf> {
  decoderPromise ??= createLazPerf({ locateFile: () => lazPerfUrl }).catch((error: unknown) => {
    decoderPromise = undefined;
    throw error;
  });
  return decoderPromise;
}

async function decode(source: NodeSource, bytes: Uint8Array): Promise<DecodedTile> {
  if (source.kind === 'TILE') return decodeTile(bytes);
  const decoder = await loadDecoder();
  try {
    return decodeLaz(decoder, bytes, source);
  } catch (error) {
    // After an error, the decoder's heap is in an unknown state.
    decoderPromise = undefined;
    throw error;
  }
}

function reportFailure(id: number, error: unknown): void {
  const reply: WorkerReply = {
    id,
    reason: error instanceof Error ? error.message : String(error),
    refused: error instanceof CloudUnreadable && error.refused,
  };
  if (pendingNodes.has(id)) postMessage(reply);
}

async function handleLoad(parts: readonly WorkerPart[]): Promise<void> {
  const controller = new AbortController();
  for (const { id } of parts) pendingNodes.set(id, { controller, parts });
  try {
    const bytes = await fetchParts(parts, controller.signal);
    for (const [index, { id, source }] of parts.entries()) {
      const nodeBytes = bytes[index];
      if (!nodeBytes || !pendingNodes.has(id)) continue;
      try {
        const tile = await decode(source, nodeBytes);
        const reply: WorkerReply = { id, tile };
        if (pendingNodes.has(id)) postMessage(reply, { transfer: tile.blocks.map((block) => block.bytes.buffer) });
      } catch (error) {
        reportFailure(id, error);
      }
    }
  } catch (error) {
    for (const { id } of parts) reportFailure(id, error);
  } finally {
    for (const { id } of parts) pendingNodes.delete(id);
  }
}

function abort(id: number): void {
  const entry = pendingNodes.get(id);
  pendingNodes.delete(id);
  if (entry?.parts.every((part) => !pendingNodes.has(part.id))) entry.controller.abort();
}

addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  if ('abort' in data) abort(data.id);
  else if ('prepare' in data) {
    // The error is reported by the request that needs the decoder.
    loadDecoder().catch(() => undefined);
  } else void handleLoad(data.parts);
});
