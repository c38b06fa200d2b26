import { getSettings, testProvider } from '#core/api';
import { routes } from '#core';
import type { Caller } from '../access/caller.ts';
import { PublicLinks } from '../auth/public-links.ts';
import { testIdentityProvider } from '../auth/sign-on/test-identity-provider.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { noAccess } from '../kernel/server-error.ts';
import { createSettingSources, SettingSources } from './setting-sources.ts';

/** Shows the settings in force to admins with access to all locations, and tests the identity providers. */
export const settingsPart: CorePart = {
  id: 'settings',
  migrations: [],
  mount(api, { database, config, product, clock, getPublicUrl, provide }) {
    const sources = createSettingSources(database.of<unknown>('core'));
    provide(SettingSources, sources);
    const links = new PublicLinks(getPublicUrl);
    api.serve(getSettings, async ({ caller }) => {
      assertAllLocations(caller);
      return {
        stored: await sources.list(),
        providers: product.login.providers.map(({ id }) => ({
          id,
          issuer: config.signOn[id]?.issuer ?? null,
          clientId: config.signOn[id]?.clientId ?? null,
          mailDomains: [...(config.signOn[id]?.mailDomains ?? [])],
          variables: `WALKDOWN_OIDC_${id.toUpperCase()}_`,
        })),
        returnAddress: links.createLink(routes.signOnReturn),
        environment: config.variables.map((variable) => ({ ...variable })),
      };
    });
    api.serve(testProvider, ({ caller, params }) => {
      assertAllLocations(caller);
      return testIdentityProvider(config.signOn[params.provider], { clock });
    });
  },
};

/** @throws `noAccess` (403): the settings concern all locations. */
function assertAllLocations({ access }: Caller): void {
  if (access.locations !== 'ALL') throw noAccess();
}
