import { defaultSiteRecord, type LocationRow, type SiteRecord } from '#core';

/** A site's row for tests, as the server lists it. */
export function buildSite(uid: string, changes: Partial<SiteRecord> = {}): LocationRow {
  return {
    uid,
    name: uid,
    label: uid,
    parent: null,
    root: uid,
    locationType: 'PRIMARY_LOCATION',
    version: 1,
    site: { ...defaultSiteRecord('UTC'), ...changes },
  };
}

/** The row of a unit of a site. */
export function buildUnit(uid: string, site: string): LocationRow {
  return { uid, name: uid, label: uid, parent: site, root: site, locationType: 'PLATFORM_UNIT', version: 1 };
}
