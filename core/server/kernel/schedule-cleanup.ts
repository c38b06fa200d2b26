import type { CoreContext } from './core-part.ts';

const cleanupIntervalMs = 6 * 60 * 60 * 1000;

/**
 * Runs the cleanups one after another, now and every six hours until the server stops. A failed cleanup is logged. Call
 * it when the server starts.
 */
export function scheduleCleanup(
  context: Pick<CoreContext, 'log' | 'onStop'>,
  cleanups: readonly (() => Promise<void>)[],
): void {
  let currentRun: Promise<void> | undefined;
  const runAll = async (): Promise<void> => {
    for (const cleanup of cleanups)
      await cleanup().catch((error: unknown) =>
        context.log.warn({ err: error }, 'A cleanup failed. It is repeated in six hours.'),
      );
  };
  const run = (): void => {
    currentRun ??= runAll().finally(() => {
      currentRun = undefined;
    });
  };
  const timer = setInterval(run, cleanupIntervalMs);
  timer.unref();
  run();
  context.onStop(async () => {
    clearInterval(timer);
    await currentRun;
  });
}
