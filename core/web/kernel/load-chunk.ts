/** Code that could not be loaded. `chunk` names the screen or file, `attempts` the number of tries. */
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
  /** Timeout of one attempt in ms. */
  readonly timeout: number;
  /** Delays in ms before each retry; their number is the number of retries. */
  readonly pauses: readonly number[];
}

/** 120 s per attempt (the specification's limit) and two retries. */
export const chunkTimeoutMs: ChunkTimeout = { timeout: 120_000, pauses: [500, 3_000] };

class AttemptTimedOut extends Error {}

/**
 * Loads code behind an `import()` with retries. A timed-out attempt is not repeated: the browser would join the same
 * pending request, and only a reload starts a new one.
 *
 * @throws ChunkLoadError
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
