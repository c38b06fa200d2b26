const interval = 500;

/**
 * Under `npx` and `npm start` a signal reaches npm, which ends without telling the process that it started: that one
 * notices here that it was left alone, and ends as by SIGTERM. Anywhere else a process may well outlive the one that
 * started it. Returns what ends the watch.
 *
 * To be called before the work: a parent that ends during it has a successor already when it is over, and that one does
 * not end.
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
