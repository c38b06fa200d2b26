/** What an engineer should know, in the browser's console. Never for a person, never with a token in it. */
export function logError(message: string, cause?: unknown): void {
  // oxlint-disable-next-line no-console -- the one place that writes to the console
  console.error(...(cause === undefined ? [message] : [message, cause]));
}
