/** Logs to the browser's console, for engineers. The arguments must not contain a token. */
export function logError(message: string, cause?: unknown): void {
  // oxlint-disable-next-line no-console -- the one place that writes to the console
  console.error(...(cause === undefined ? [message] : [message, cause]));
}
