import { email } from '#core';
import { normaliseUsername } from '../access/account.ts';
import type { Database } from '../database/database.ts';
import { ConfigurationError } from '../kernel/configuration-error.ts';
import { ensureFirstAdmin } from './ensure-first-admin.ts';

/**
 * Call it before anything is created.
 *
 * @throws `ConfigurationError` if nobody could sign in by this username
 */
export function assertFirstAdminAddress(username: string): void {
  if (email(username) === undefined) return;
  throw new ConfigurationError(
    `The first admin must be an email address such as admin@customer.example, and is "${username}": nobody could ` +
      'log in with it. Mend --first-admin, or WALKDOWN_FIRST_ADMIN.',
  );
}

/**
 * Creates the first admin of a product without accounts and prints the password, which is stored nowhere; or prints why
 * none was created.
 */
export async function addFirstAdmin(database: Database, username: string, say: (text: string) => void): Promise<void> {
  const made = await ensureFirstAdmin({ database }, { username });
  if (made)
    return say(
      `First admin: ${made.username}, password: ${made.password} (shown only now; it can be changed under Settings).`,
    );
  const [own] = await database.query('select from core.user_account where username = $1', [
    normaliseUsername(username),
  ]);
  say(
    own === undefined
      ? `The first admin ${username} was not made, and no password changed: somebody has an account in this ` +
          `database already. Log in as an admin of it and invite ${username}, or set a forgotten password anew ` +
          'on the ' +
          'login page.'
      : `${username} has an account already: nothing was changed. A forgotten password is set anew on the login page.`,
  );
}
