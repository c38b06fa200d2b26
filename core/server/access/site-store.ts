import { token, type SiteRecord } from '#core';

export interface SiteChange {
  /** uid of the person; null for the system itself. */
  readonly by: string | null;
  /** Id of the request (`Call.requestId`). */
  readonly request?: string;
}

/** What holds at each site: time zone, frame, vertical datum. Cached in memory with the location tree. */
export interface SiteStore {
  /**
   * The record of the site that a location belongs to; the defaults for a site without one and an unknown location. UTC
   * in place of a time zone that this machine does not know.
   */
  recordAt(location: string): Promise<SiteRecord>;
  /**
   * Replaces the record of a site, and notes it in the audit log.
   *
   * @throws `notFound` (404) where the location is no site, `invalidRequest` (400) on a record that is not valid
   */
  save(site: string, record: SiteRecord, change: SiteChange): Promise<void>;
}
export const SiteStore = token<SiteStore>('core.SiteStore');
