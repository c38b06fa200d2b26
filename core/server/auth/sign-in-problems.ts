import type { Product } from '#core';
import type { Database } from '../database/database.ts';
import type { ServerConfig } from '../kernel/server-config.ts';

/**
 * Returns the reasons for which people cannot sign in to a product that just started, each as a sentence with the
 * remedy. There may be no account, or the login page may have a button for an identity provider without configuration.
 */
export async function findSignInProblems(
  database: Database,
  { login }: Pick<Product, 'login'>,
  { signOn }: Pick<ServerConfig, 'signOn'>,
): Promise<readonly string[]> {
  const problems = login.providers
    .filter(({ id }) => signOn[id] === undefined)
    .map(({ id, label }) => {
      const prefix = `WALKDOWN_OIDC_${id.toUpperCase()}`;
      return (
        `Nobody can log in with "${label}": the identity provider "${id}" is not configured. Set ${prefix}_ISSUER, ` +
        `${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET, or remove it from login.providers of the profile.`
      );
    });
  const accounts = await database.query('select from core.user_account limit 1');
  if (accounts.length === 0)
    problems.push(
      'Nobody can log in: there is no account yet. Start the server with "walkdown serve --first-admin <mail ' +
        'address>", or with WALKDOWN_FIRST_ADMIN=<mail address>.',
    );
  return problems;
}
