/** Code could not be loaded. `chunk` names the screen or file; `attempts` is the number of attempts. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly chunk: string;
  readonly attempts: number;

  constructor(chunk: string, attempts: number, options?: ErrorOptions) {
    super(
      `The chunk '${chunk}' could not be loaded (${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}). Is ` +
        'the connection lost, or was a new version installed?',
      options,
    );
    this.chunk = chunk;
    this.attempts = attempts;
  }
}

export interface RetryPolicy {
  /** Timeout of one attempt. */
  readonly timeoutMs: number;
  /** Delays before each retry. Their number is the number of retries. */
  readonly pausesMs: readonly number[];
}

/** 120 s per attempt (the specification's limit) and two retries. */
export const chunkRetryPolicy: RetryPolicy = { timeoutMs: 120_000, pausesMs: [500, 3_000] };

class AttemptTimeoutError extends Error {}

/**
 * Loads code behind an `import()` with retries. Does not retry after a timeout, because the browser would join the same
 * pending request. Only a reload starts a new request.
 *
 * @throws ChunkLoadError
 */
export async function loadChunk<T>(
  chunk: string,
  load: () => Promise<T>,
  policy: RetryPolicy = chunkRetryPolicy,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await withTimeout(policy.timeoutMs, load);
    } catch (cause) {
      const pauseMs = policy.pausesMs[attempts - 1];
      if (pauseMs === undefined || cause instanceof AttemptTimeoutError)
        throw new ChunkLoadError(chunk, attempts, { cause });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

async function withTimeout<T>(milliseconds: number, load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AttemptTimeoutError(`No answer within ${milliseconds} ms.`)), milliseconds);
  });
  try {
    return await Promise.race([load(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
