import type { EventEmitter } from 'node:events';
import { createLazPerf } from 'laz-perf';

/** What is used of laz-perf, a WebAssembly build of a LAZ decoder. Pointers are offsets in its heap. */
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
 * Memory of a decoder.
 *
 * @throws Error where it has no room: the address would be 0, where its own tables lie
 */
export function allocate(laz: LazPerf, bytes: number): number {
  const address = bytes < 2 ** 31 ? laz._malloc(bytes) : 0;
  if (address === 0) throw new Error(`A decoder of LAZ has no room for ${bytes} bytes.`);
  return address;
}

const events = ['uncaughtException', 'unhandledRejection'] as const;

/** A decoder with a heap of its own. One that threw is not to be used again. */
export async function newLazPerf(): Promise<LazPerf> {
  const create: () => Promise<LazPerf> = createLazPerf;
  // It hangs handlers on the process that end it at any rejection: they are taken off again.
  const emitter: EventEmitter = process;
  const before = events.map((event) => new Set(emitter.rawListeners(event)));
  const made = create();
  for (const [k, event] of events.entries()) {
    for (const listener of emitter.rawListeners(event))
      if (!before[k]!.has(listener)) emitter.off(event, listener as () => void);
  }
  return made;
}
