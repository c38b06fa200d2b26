import type { WalkdownServer } from '#core/server';
import { ensureFirstAdmin } from '../../core/server/auth/ensure-first-admin.ts';

/** Makes the first admin of a product in which nobody has an account, and says the password, which is kept nowhere. */
export async function addFirstAdmin(server: WalkdownServer, username: string, say: (text: string) => void): Promise<void> {
  const made = await ensureFirstAdmin({ database: server.database }, { username });
  if (made) say(`First admin: ${made.username}, password: ${made.password} (shown only now; it can be changed under Settings).`);
}
