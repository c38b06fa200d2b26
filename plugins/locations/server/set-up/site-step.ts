import type { ServerContext } from '#core/server';
import type { SetUpSource } from '#plugins/locations';

/** Creates the set-up step of sites. It is done when each site has a record and a unit. Reads locations from memory. */
export const createSiteStep = ({ locations }: Pick<ServerContext, 'locations'>): SetUpSource => ({
  steps: ['locations.sites'],
  read: async (accessibleUids) => {
    const uids = new Set(accessibleUids);
    const rows = (await locations.all()).filter(({ uid }) => uids.has(uid));
    const sites = rows.filter(({ parent }) => parent === null);
    const withUnits = new Set(rows.filter((row) => row.locationType === 'PLATFORM_UNIT').map(({ root }) => root));
    const withoutRecord = sites.filter(({ site }) => site === undefined).length;
    const withoutUnit = sites.filter(({ uid }) => !withUnits.has(uid)).length;
    const [only] = sites;
    if (only === undefined)
      return [{ id: 'locations.sites', state: 'TODO', detail: { message: 'locations.setUp.noSite', values: {} } }];
    const state = withoutRecord + withoutUnit > 0 ? 'STARTED' : 'DONE';
    const missingPart = withoutRecord > 0 ? 'withoutRecord' : 'withoutUnit';
    const detail =
      state === 'STARTED'
        ? { message: `locations.setUp.${missingPart}`, values: { count: withoutRecord || withoutUnit } }
        : sites.length === 1
          ? { message: 'locations.setUp.site', values: { name: only.name, zone: only.site?.timeZone ?? '' } }
          : { message: 'locations.setUp.sites', values: { count: sites.length } };
    return [{ id: 'locations.sites', state, detail }];
  },
});
