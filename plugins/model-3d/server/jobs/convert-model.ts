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
  /** How many tiles were written in place of the GLB; 0: none, the model is one file. */
  readonly tiles: number;
}

type Answer =
  | { readonly ok: Converted & { readonly system: StatedIfcSystem } }
  | { readonly refused: LocalizedError; readonly cause: string }
  | { readonly diskFull: true }
  | { readonly progress: number };

/**
 * Of the process's own heap. What lies outside it is bounded by the size of the file, which is checked before anything
 * is read.
 */
const heapMegabytes = 3072;
const maxMs = 20 * 60_000;

export interface ConvertOptions {
  readonly signal?: AbortSignal;
  /** 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /**
   * From how many triangles as drawn, or bytes, on a model is divided into tiles; otherwise as `split-model.mjs` says.
   */
  readonly largeFrom?: { readonly triangles: number; readonly bytes: number };
  /** In what the file counts, whatever it says itself; absent: as it says. */
  readonly unit?: LengthUnit;
}

/** Where the tiles of a model are written whose GLB would be `output`. */
export const tilesFolder = (output: string): string => `${output}.tiles`;

/**
 * Checks and shrinks the model in the file `input` and writes it to `output` as GLB with meshopt or, where it is large
 * or comes as 3D Tiles, to `tilesFolder(output)`, in a process of its own: a hostile file ends that, and not the
 * server. Throws `invalidRequest` with a refusal where the file cannot be used, `temporaryFilesFull` where there is no
 * room for the output.
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

/** The process has ids of the same catalogue; a test holds them against it. */
function localizedError({ message, values, where }: LocalizedError): LocalizedRefusal {
  const refusal = modelRefusal(message as Parameters<typeof modelRefusal>[0], values);
  return where === undefined ? refusal : refusalIn(where, refusal);
}
