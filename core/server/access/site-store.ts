import { token, type SiteRecord } from '#core';

/** Time zone, frame and vertical datum of each site. Cached in memory with the location tree. */
export interface SiteStore {
  /**
   * Returns the record of the site of a location, or the default record for an unknown location or a site without a
   * record. UTC replaces a time zone that this machine does not know.
   */
  recordAt(location: string): Promise<SiteRecord>;
  /**
   * Replaces the record of a site. The change journal does not record it, so it cannot be undone. For the demo plant.
   *
   * @throws `notFound` (404) if the location is no site; `invalidRequest` (400) on an invalid record
   */
  save(site: string, record: SiteRecord): Promise<void>;
}
export const SiteStore = token<SiteStore>('core.SiteStore');
