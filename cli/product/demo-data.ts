import type { WalkdownServer } from '#core/server';

/** Whether the demo plant is completely seeded: `false` from the first row to the last. A row of `core.setting`. */
const mark = 'demo.written';
const everySeconds = 15;

/** Seeds the demo plant into a database without accounts, or completes an interrupted seed. Returns whether it did. */
export async function seedWhereEmpty(
  server: Pick<WalkdownServer, 'database' | 'seed'>,
  say: (text: string) => void,
  plant = loadPlant,
): Promise<boolean> {
  const { database } = server;
  const [found] = await database.query<{ readonly accounts: boolean; readonly broken: boolean }>(
    'select exists (select from core.user_account) as accounts, exists (select from core.setting where key = $1 and ' +
      'value = $2) as broken',
    [mark, 'false'],
  );
  if (found?.accounts && !found.broken) return false;
  say(
    found?.broken
      ? 'Writing the demo plant was cut short: finishing it.'
      : 'The database is empty: writing the demo plant into it (once; about a minute).',
  );
  const note = (written: boolean) =>
    database.query(
      'insert into core.setting (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value',
      [mark, String(written)],
    );
  const begun = Date.now();
  const progress = setInterval(
    () => say(`Still writing the demo plant: ${((Date.now() - begun) / 1000).toFixed(0)} s so far.`),
    everySeconds * 1000,
  );
  try {
    await note(false);
    await server.seed(await plant());
    await note(true);
  } finally {
    clearInterval(progress);
  }
  return true;
}

async function loadPlant() {
  const { demoPlant } = await import('../demo/index.ts');
  return demoPlant();
}
