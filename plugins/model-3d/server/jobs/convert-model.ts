import { fork } from 'node:child_process';
import { metresPer, refusalIn, type LengthUnit, type Point3, type LocalizedRefusal, type LocalizedError } from '#core';
import { invalidRequest, temporaryFilesFull } from '#core/server';
import type { ModelReport } from '../../contract/index.ts';
import { modelRefusal } from '../../contract/errors.ts';
import { toSourceSystem, type StatedIfcSystem } from './source-system.ts';

export interface ConvertedModel {
  readonly report: ModelReport;
  /** The bounding box in the model's frame, z up, in metres. */
  readonly bounds: { readonly min: Point3; readonly max: Point3 };
  /** The number of tiles, or 0 if the model is a single GLB. */
  readonly tiles: number;
}

type ProcessMessage =
  | { readonly ok: ConvertedModel & { readonly system: StatedIfcSystem } }
  | { readonly refusal: LocalizedError; readonly cause: string }
  | { readonly diskFull: true }
  | { readonly progress: number };

/**
 * Heap limit of the child process. Memory outside the heap is bounded by the size of the file, which is checked first.
 */
const heapMegabytes = 3072;
const maxMs = 20 * 60_000;

export interface ConvertOptions {
  readonly signal?: AbortSignal;
  /** Receives the progress, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  /** Models with at least as many drawn triangles or bytes are tiled. The default is in `split-model.mjs`. */
  readonly tilingThresholds?: { readonly triangles: number; readonly bytes: number };
  /** The unit that a person chose instead of the file's own. */
  readonly unit?: LengthUnit;
}

/** Path of the folder for the tiles if the model is not written to the GLB `output`. */
export const toTilesFolder = (output: string): string => `${output}.tiles`;

/**
 * Checks and optimizes the model `input` in a child process, so that a hostile file cannot end the server. Writes a GLB
 * with meshopt to `output`, or tiles to `toTilesFolder(output)` if it is large or 3D Tiles.
 *
 * @throws `invalidRequest` with a refusal if the file cannot be used, `temporaryFilesFull` if the disk is full
 */
export function convertModel(
  input: string,
  output: string,
  { signal, onProgress, tilingThresholds, unit }: ConvertOptions = {},
): Promise<ConvertedModel> {
  return new Promise((resolve, reject) => {
    const child = fork(
      new URL('./convert-model-process.mjs', import.meta.url),
      [input, output, toTilesFolder(output), JSON.stringify({ tilingThresholds, metres: unit && metresPer[unit] })],
      { execArgv: [`--max-old-space-size=${heapMegabytes}`], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
    );
    const timer = setTimeout(() => child.kill('SIGKILL'), maxMs);
    const killChild = (): boolean => child.kill('SIGKILL');
    signal?.addEventListener('abort', killChild, { once: true });
    let answer: ProcessMessage | undefined;
    child.on('message', (message) => {
      const processMessage = message as ProcessMessage;
      if ('progress' in processMessage) onProgress?.(processMessage.progress);
      else answer = processMessage;
    });
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', killChild);
      if (signal?.aborted) reject(signal.reason as Error);
      else if (answer && 'ok' in answer) resolve(addSourceSystem(answer.ok, unit));
      else if (answer && 'refusal' in answer)
        reject(Object.assign(invalidRequest(toRefusal(answer.refusal)), { cause: answer.cause }));
      else if (answer && 'diskFull' in answer) reject(temporaryFilesFull());
      else reject(invalidRequest(modelRefusal('model-3d.refused.tooEntangled')));
    });
  });
}

function addSourceSystem(
  { system, report, ...converted }: ConvertedModel & { readonly system: StatedIfcSystem },
  unit: LengthUnit | undefined,
): ConvertedModel {
  return { ...converted, report: { ...report, system: toSourceSystem(report.source, system, unit) } };
}

/** The cast is safe, because a test verifies that the child process uses message ids of this catalogue. */
function toRefusal({ message, values, where }: LocalizedError): LocalizedRefusal {
  const refusal = modelRefusal(message as Parameters<typeof modelRefusal>[0], values);
  return where === undefined ? refusal : refusalIn(where, refusal);
}
