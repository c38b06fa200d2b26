import type { WalkdownServer } from '#core/server';

/** Writes the demo plant into a database in which nobody has an account yet. True where it did. */
export async function seedWhereEmpty(server: WalkdownServer, say: (text: string) => void): Promise<boolean> {
  const [row] = await server.database.query<{ readonly accounts: boolean }>('select exists (select from core.user_account) as accounts');
  if (row?.accounts) return false;
  say('The database is empty: writing the demo plant into it (once).');
  const { demoPlant } = await import('../demo/index.ts');
  await server.seed(await demoPlant());
  return true;
}
