import createLazPerf from 'laz-perf/lib/worker/laz-perf.js';
import lazPerfAddress from 'laz-perf/lib/worker/laz-perf.wasm';
import { CloudUnreadable, fetchBytes, type NodeAddress } from './cloud-node.ts';
import { decodeLaz, type LazPerf } from './decode-laz.ts';
import { decodeTile, type DecodedTile } from './decode-tile.ts';

/** Asks a worker for a node, or to end an earlier ask. */
export type WorkerRequest = { readonly id: number; readonly address: NodeAddress } | { readonly id: number; readonly abort: true };
export type WorkerReply = { readonly id: number; readonly tile: DecodedTile } | { readonly id: number; readonly reason: string; readonly refused: boolean };

const running = new Map<number, AbortController>();
let laz: Promise<LazPerf> | undefined;

async function read(address: NodeAddress, signal: AbortSignal): Promise<DecodedTile> {
  if (address.kind === 'TILE') return decodeTile(await fetchBytes(address.url, signal));
  const bytes = await fetchBytes(address.url, signal, address);
  laz ??= createLazPerf({ locateFile: () => lazPerfAddress });
  try {
    return decodeLaz(await laz, bytes, address);
  } catch (error) {
    // What threw left its heap in an unknown state.
    laz = undefined;
    throw error;
  }
}

async function answer(id: number, address: NodeAddress): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const tile = await read(address, controller.signal);
    const reply: WorkerReply = { id, tile };
    if (!controller.signal.aborted) postMessage(reply, { transfer: tile.blocks.map(({ bytes }) => bytes.buffer) });
  } catch (error) {
    const reply: WorkerReply = { id, reason: error instanceof Error ? error.message : String(error), refused: error instanceof CloudUnreadable && error.refused };
    if (!controller.signal.aborted) postMessage(reply);
  } finally {
    running.delete(id);
  }
}

addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  if ('abort' in data) running.get(data.id)?.abort();
  else void answer(data.id, data.address);
});
