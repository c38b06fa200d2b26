const interval = 500;

/**
 * Under `npx` and `npm start` a signal ends npm but not this process: detects the lost parent and ends as by SIGTERM.
 * Otherwise a process may outlive its parent. Returns a function that stops the watch. Call it before any work, while
 * the original parent still runs.
 */
export function stopWithParent(environment: Readonly<Record<string, string | undefined>> = process.env): () => void {
  if (environment['npm_command'] === undefined) return () => undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, interval).unref();
  return () => clearInterval(timer);
}
