/**
 * A part of the program that could not be fetched. `chunk` says which screen or file, `attempts` how often it was
 * tried.
 */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly chunk: string;
  readonly attempts: number;

  constructor(chunk: string, attempts: number, options?: ErrorOptions) {
    super(
      `The program part '${chunk}' could not be loaded (${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}). Is ` +
        'the connection lost, or was a new version installed?',
      options,
    );
    this.chunk = chunk;
    this.attempts = attempts;
  }
}

export interface ChunkTimeout {
  /** Milliseconds that one attempt may take. */
  readonly timeout: number;
  /** Milliseconds before each further attempt; its length is their number. */
  readonly pauses: readonly number[];
}

/** 120 s an attempt (the specification's limit), and two further attempts. */
export const chunkTimeoutMs: ChunkTimeout = { timeout: 120_000, pauses: [500, 3_000] };

class AttemptTimedOut extends Error {}

/**
 * Loads code behind an `import()`, and tries again where it fails. Rejects with `ChunkLoadError`. An attempt that hangs
 * is not repeated: the browser would join the same hanging request; only a reload makes a new one.
 */
export async function loadChunk<T>(
  chunk: string,
  load: () => Promise<T>,
  timeoutMs: ChunkTimeout = chunkTimeoutMs,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await within(timeoutMs.timeout, load);
    } catch (cause) {
      const pause = timeoutMs.pauses[attempts - 1];
      if (pause === undefined || cause instanceof AttemptTimedOut) throw new ChunkLoadError(chunk, attempts, { cause });
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

async function within<T>(milliseconds: number, load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AttemptTimedOut(`No answer within ${milliseconds} ms.`)), milliseconds);
  });
  try {
    return await Promise.race([load(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
