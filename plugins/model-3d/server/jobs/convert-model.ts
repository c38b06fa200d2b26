import { fork } from 'node:child_process';
import { metresPer, refusalIn, type LengthUnit, type Point3, type LocalizedRefusal, type LocalizedError } from '#core';
import { invalidRequest, temporaryFilesFull } from '#core/server';
import type { ModelReport } from '../../contract/index.ts';
import { modelRefusal } from '../../contract/errors.ts';
import { toSourceSystem, type StatedIfcSystem } from './source-system.ts';

export interface Converted {
  readonly report: ModelReport;
  /** Model frame, z up, metres. */
  readonly bounds: { readonly min: Point3; readonly max: Point3 };
  /** Number of tiles written instead of a GLB; 0 for a single file. */
  readonly tiles: number;
}

type Answer =
  | { readonly ok: Converted & { readonly system: StatedIfcSystem } }
  | { readonly refused: LocalizedError; readonly cause: string }
  | { readonly diskFull: true }
  | { readonly progress: number };

/**
 * Heap limit of the child process. Memory outside the heap is bounded by the size of the file, which is checked first.
 */
const heapMegabytes = 3072;
const maxMs = 20 * 60_000;

export interface ConvertOptions {
  readonly signal?: AbortSignal;
  /** 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Triangles as drawn, or bytes, from which a model is tiled; the default is in `split-model.mjs`. */
  readonly largeFrom?: { readonly triangles: number; readonly bytes: number };
  /** Metres per unit of the file, if a person overrides it; absent to use the file's own unit. */
  readonly unit?: LengthUnit;
}

/** The folder for the tiles of a model whose GLB would be `output`. */
export const tilesFolder = (output: string): string => `${output}.tiles`;

/**
 * Checks and optimizes the model `input` in a child process, so that a hostile file cannot end the server. Writes a GLB
 * with meshopt to `output`, or tiles to `tilesFolder(output)` if it is large or 3D Tiles.
 *
 * @throws `invalidRequest` with a refusal if the file cannot be used, `temporaryFilesFull` if the disk is full
 */
export function convertModel(
  input: string,
  output: string,
  { signal, onProgress, largeFrom, unit }: ConvertOptions = {},
): Promise<Converted> {
  return new Promise((resolve, reject) => {
    const child = fork(
      new URL('./convert-model-process.mjs', import.meta.url),
      [input, output, tilesFolder(output), JSON.stringify({ largeFrom, metres: unit && metresPer[unit] })],
      { execArgv: [`--max-old-space-size=${heapMegabytes}`], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
    );
    const clock = setTimeout(() => child.kill('SIGKILL'), maxMs);
    const stop = (): boolean => child.kill('SIGKILL');
    signal?.addEventListener('abort', stop, { once: true });
    let answer: Answer | undefined;
    child.on('message', (message) => {
      const said = message as Answer;
      if ('progress' in said) onProgress?.(said.progress);
      else answer = said;
    });
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(clock);
      signal?.removeEventListener('abort', stop);
      if (signal?.aborted) reject(signal.reason as Error);
      else if (answer && 'ok' in answer) resolve(withSystem(answer.ok, unit));
      else if (answer && 'refused' in answer)
        reject(Object.assign(invalidRequest(localizedError(answer.refused)), { cause: answer.cause }));
      else if (answer && 'diskFull' in answer) reject(temporaryFilesFull());
      else reject(invalidRequest(modelRefusal('model-3d.refused.tooEntangled')));
    });
  });
}

function withSystem(
  { system, report, ...converted }: Converted & { readonly system: StatedIfcSystem },
  unit: LengthUnit | undefined,
): Converted {
  return { ...converted, report: { ...report, system: toSourceSystem(report.source, system, unit) } };
}

/** The process uses ids of the same catalogue, as a test verifies. */
function localizedError({ message, values, where }: LocalizedError): LocalizedRefusal {
  const refusal = modelRefusal(message as Parameters<typeof modelRefusal>[0], values);
  return where === undefined ? refusal : refusalIn(where, refusal);
}
