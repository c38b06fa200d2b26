import { defaultSiteRecord, isTimeZone, type SiteRecord } from '#core';
import type { Locations, Sites } from '../kernel/services.ts';

/** Reads the site records, which are part of the list of locations. */
export class SitesService implements Sites {
  readonly #locations: Pick<Locations, 'find'>;
  readonly #timeZone: string;
  readonly #knownZones = new Map<string, boolean>();

  constructor(locations: Pick<Locations, 'find'>, deploymentTimeZone: string) {
    this.#locations = locations;
    this.#timeZone = this.#isKnown(deploymentTimeZone) ? deploymentTimeZone : 'UTC';
  }

  recordAt(location: string | undefined): SiteRecord {
    const row = location === undefined ? undefined : this.#locations.find(location);
    const site = row && this.#locations.find(row.root)?.site;
    if (!site) return defaultSiteRecord(this.#timeZone);
    return this.#isKnown(site.timeZone) ? site : { ...site, timeZone: 'UTC' };
  }

  /** An old browser may not know a time zone of the server. */
  #isKnown(timeZone: string): boolean {
    const cached = this.#knownZones.get(timeZone) ?? isTimeZone(timeZone);
    this.#knownZones.set(timeZone, cached);
    return cached;
  }
}
