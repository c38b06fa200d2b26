import type { CoreContext } from './core-part.ts';

const sweepEvery = 6 * 60 * 60 * 1000;

/**
 * Runs the cleanups now and every six hours until the server stops, never two concurrently. A failed one is logged and
 * repeated at its next time. Call it when the server starts.
 */
export function scheduleCleanup(
  context: Pick<CoreContext, 'log' | 'onStop'>,
  sweeps: readonly (() => Promise<void>)[],
): void {
  let running: Promise<void> | undefined;
  const sweep = async (): Promise<void> => {
    for (const each of sweeps)
      await each().catch((error: unknown) =>
        context.log.warn({ err: error }, 'Old rows could not be removed; tried again in six hours.'),
      );
  };
  const run = (): void => {
    running ??= sweep().finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(run, sweepEvery);
  timer.unref();
  run();
  context.onStop(async () => {
    clearInterval(timer);
    await running;
  });
}
