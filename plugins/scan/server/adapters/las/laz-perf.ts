import type { EventEmitter } from 'node:events';
import { createLazPerf } from 'laz-perf';

/** The members of laz-perf, a WebAssembly LAZ decoder, that this plugin uses. Pointers are offsets in its heap. */
export interface LazPerf {
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  readonly ChunkDecoder: new () => LazChunkDecoder;
}

export interface LazChunkDecoder {
  open(format: number, length: number, pointer: number): void;
  getPoint(pointer: number): void;
  delete(): void;
}

/**
 * Allocates memory in the heap of a decoder.
 *
 * @throws Error if the heap is exhausted. The decoder would return address 0, where its own tables are.
 */
export function allocate(laz: LazPerf, bytes: number): number {
  const address = bytes < 2 ** 31 ? laz._malloc(bytes) : 0;
  if (address === 0) throw new Error(`The LAZ decoder cannot allocate ${bytes} bytes.`);
  return address;
}

const events = ['uncaughtException', 'unhandledRejection'] as const;

/** Creates a decoder with its own heap. Do not reuse a decoder that threw an error. */
export async function loadLazPerf(): Promise<LazPerf> {
  const create: () => Promise<LazPerf> = createLazPerf;
  // laz-perf installs handlers that exit the process on any rejection, so they are removed.
  const emitter: EventEmitter = process;
  const previousListeners = events.map((event) => new Set(emitter.rawListeners(event)));
  const lazPerf = create();
  for (const [k, event] of events.entries()) {
    for (const listener of emitter.rawListeners(event))
      if (!previousListeners[k]!.has(listener)) emitter.off(event, listener as () => void);
  }
  return lazPerf;
}
