import type { Bench } from '../bench.ts';

interface Settings {
  readonly root: string;
  readonly shared: string;
  /** Absolute path of Chromium or Chrome, if found. */
  readonly chromium?: string;
  readonly quick: boolean;
}

/**
 * Runs the benchmark of this process. Reads the settings from the first argument, sends `{ results }` or `{ error }` to
 * the parent, and exits.
 */
export async function measure(bench: Bench): Promise<void> {
  process.on('uncaughtException', (error) => void sendError(error));
  const { root, shared, chromium, quick } = JSON.parse(process.argv[2] ?? '{}') as Settings;
  try {
    const results = await bench({
      root,
      sharedFolder: shared,
      get chromium() {
        if (chromium === undefined) throw new Error('No Chromium or Chrome was found. Set CHROME_PATH.');
        return chromium;
      },
      chooseCount: (few, usual) => (quick ? few : usual),
      log: (text) => void process.stderr.write(`${text}\n`),
    });
    if (results.length === 0) throw new Error('It returned no results.');
    await send({ results });
  } catch (error) {
    await sendError(error);
  }
}

async function sendError(error: unknown): Promise<void> {
  const { message, stack, cause } = error instanceof Error ? error : new Error(String(error));
  await send({ error: { message, stack, cause: cause instanceof Error ? { message: cause.message } : undefined } });
}

/** Sends the message and then exits. */
function send(message: object): Promise<never> {
  return new Promise(() => process.send?.(message, () => process.exit()));
}
