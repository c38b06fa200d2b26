import type { ServerContext } from '#core/server';
import type { SetUpSource } from '#plugins/locations';

/** Creates the set-up step of sites. It is done when each site has a record and a unit. Reads locations from memory. */
export const createSiteStep = ({ locations }: Pick<ServerContext, 'locations'>): SetUpSource => ({
  steps: ['locations.sites'],
  read: async (accessibleUids) => {
    const uids = new Set(accessibleUids);
    const rows = (await locations.all()).filter(({ uid }) => uids.has(uid));
    const sites = rows.filter(({ parent }) => parent === null);
    const sitesWithUnit = new Set(rows.filter((row) => row.locationType === 'PLATFORM_UNIT').map(({ root }) => root));
    const withoutRecordCount = sites.filter(({ site }) => site === undefined).length;
    const withoutUnitCount = sites.filter(({ uid }) => !sitesWithUnit.has(uid)).length;
    const [firstSite] = sites;
    if (firstSite === undefined)
      return [{ id: 'locations.sites', state: 'TODO', detail: { message: 'locations.setUp.noSite', values: {} } }];
    const state = withoutRecordCount + withoutUnitCount > 0 ? 'STARTED' : 'DONE';
    const missing = withoutRecordCount > 0 ? 'withoutRecord' : 'withoutUnit';
    const detail =
      state === 'STARTED'
        ? { message: `locations.setUp.${missing}`, values: { count: withoutRecordCount || withoutUnitCount } }
        : sites.length === 1
          ? { message: 'locations.setUp.site', values: { name: firstSite.name, zone: firstSite.site?.timeZone ?? '' } }
          : { message: 'locations.setUp.sites', values: { count: sites.length } };
    return [{ id: 'locations.sites', state, detail }];
  },
});
