import type { EventEmitter } from 'node:events';
import { createLazPerf } from 'laz-perf';

/** The used part of laz-perf, a WebAssembly LAZ decoder. Pointers are offsets in its heap. */
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
 * @throws Error if the heap is exhausted: the address would be 0, where the decoder's tables are
 */
export function allocate(laz: LazPerf, bytes: number): number {
  const address = bytes < 2 ** 31 ? laz._malloc(bytes) : 0;
  if (address === 0) throw new Error(`A decoder of LAZ has no room for ${bytes} bytes.`);
  return address;
}

const events = ['uncaughtException', 'unhandledRejection'] as const;

/** A decoder with its own heap. Do not reuse one that threw. */
export async function newLazPerf(): Promise<LazPerf> {
  const create: () => Promise<LazPerf> = createLazPerf;
  // laz-perf installs process handlers that exit on any rejection. They are removed here.
  const emitter: EventEmitter = process;
  const before = events.map((event) => new Set(emitter.rawListeners(event)));
  const made = create();
  for (const [k, event] of events.entries()) {
    for (const listener of emitter.rawListeners(event))
      if (!before[k]!.has(listener)) emitter.off(event, listener as () => void);
  }
  return made;
}
