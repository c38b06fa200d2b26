import { email } from '#core';
import { normaliseUsername } from '../access/account.ts';
import type { Database } from '../database/database.ts';
import { ConfigurationError } from '../kernel/configuration-error.ts';
import { ensureFirstAdmin } from './ensure-first-admin.ts';

/**
 * Asserts that the first admin can sign in by this username. Must be called before the database is created.
 *
 * @throws `ConfigurationError` if the username is no email address
 */
export function assertFirstAdminAddress(username: string): void {
  if (email(username) === undefined) return;
  throw new ConfigurationError(
    `The first admin must be an email address such as admin@customer.example, but is "${username}". Nobody could ` +
      'log in with it. Correct --first-admin or WALKDOWN_FIRST_ADMIN.',
  );
}

/**
 * Creates the first admin of a product without accounts and prints the password, which is stored nowhere. If the
 * product has an account, prints the reason for which no admin was created.
 */
export async function addFirstAdmin(
  database: Database,
  username: string,
  print: (text: string) => void,
): Promise<void> {
  const createdAdmin = await ensureFirstAdmin({ database }, { username });
  if (createdAdmin)
    return print(
      `First admin: ${createdAdmin.username}, password: ${createdAdmin.password} (shown only now; it can be changed under Settings).`,
    );
  const [existing] = await database.query('select from core.user_account where username = $1', [
    normaliseUsername(username),
  ]);
  print(
    existing === undefined
      ? `The first admin ${username} was not created and no password was changed, because this database already has ` +
          `an account. Log in as an admin and invite ${username}, or reset a forgotten password on the login page.`
      : `${username} already has an account, so nothing was changed. Reset a forgotten password on the login page.`,
  );
}
