import type { WalkdownServer } from '#core/server';

/** The key in `core.setting` whose value is `false` while the demo plant is being seeded, and `true` afterwards. */
const progressKey = 'demo.written';
const reportIntervalSeconds = 15;

/** Seeds the demo plant into a database without accounts, or completes an interrupted seed. Returns whether it seeded. */
export async function seedIfEmpty(
  server: Pick<WalkdownServer, 'database' | 'seed'>,
  print: (text: string) => void,
  loadDemoPlant = importDemoPlant,
): Promise<boolean> {
  const { database } = server;
  const [state] = await database.query<{ readonly accounts: boolean; readonly broken: boolean }>(
    'select exists (select from core.user_account) as accounts, exists (select from core.setting where key = $1 and ' +
      'value = $2) as broken',
    [progressKey, 'false'],
  );
  if (state?.accounts && !state.broken) return false;
  print(
    state?.broken
      ? 'Writing the demo plant was interrupted. It is written again.'
      : 'The database is empty. The demo plant is written into it (once; about a minute).',
  );
  const saveProgress = (isComplete: boolean) =>
    database.query(
      'insert into core.setting (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value',
      [progressKey, String(isComplete)],
    );
  const startedAt = Date.now();
  const progressTimer = setInterval(
    () => print(`Still writing the demo plant: ${((Date.now() - startedAt) / 1000).toFixed(0)} s so far.`),
    reportIntervalSeconds * 1000,
  );
  try {
    await saveProgress(false);
    await server.seed(await loadDemoPlant());
    await saveProgress(true);
  } finally {
    clearInterval(progressTimer);
  }
  return true;
}

async function importDemoPlant() {
  const { createDemoPlant } = await import('../demo/index.ts');
  return createDemoPlant();
}
