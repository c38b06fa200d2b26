const intervalMs = 500;

/**
 * Sends this process SIGTERM when its parent has ended, because under `npx` and `npm start` a signal ends npm but not
 * this process. Call it before any work, while the original parent still runs. Returns a function that stops watching.
 */
export function stopWithParent(environment: Readonly<Record<string, string | undefined>> = process.env): () => void {
  if (environment['npm_command'] === undefined) return () => undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, intervalMs).unref();
  return () => clearInterval(timer);
}
