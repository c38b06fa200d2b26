import type { Bench } from '../bench.ts';

interface Settings {
  readonly root: string;
  readonly shared: string;
  /** Absolute path of Chromium or Chrome, if found. */
  readonly chromium?: string;
  readonly quick: boolean;
}

/**
 * Entry point of a benchmark process: reads the settings from the first argument, sends `{ results }` or `{ error }` to
 * the parent and exits.
 */
export async function measure(bench: Bench): Promise<void> {
  process.on('uncaughtException', (error) => void sendError(error));
  const { root, shared, chromium, quick } = JSON.parse(process.argv[2] ?? '{}') as Settings;
  try {
    const results = await bench({
      root,
      shared,
      get chromium() {
        if (chromium === undefined) throw new Error('There is no Chromium or Chrome here: set CHROME_PATH.');
        return chromium;
      },
      count: (few, usual) => (quick ? few : usual),
      say: (text) => void process.stderr.write(`${text}\n`),
    });
    if (results.length === 0) throw new Error('It gave no results.');
    await send({ results });
  } catch (error) {
    await sendError(error);
  }
}

async function sendError(error: unknown): Promise<void> {
  const { message, stack, cause } = error instanceof Error ? error : new Error(String(error));
  await send({ error: { message, stack, cause: cause instanceof Error ? { message: cause.message } : undefined } });
}

/** Exits once the parent has received the message. */
function send(message: object): Promise<never> {
  return new Promise(() => process.send?.(message, () => process.exit()));
}
