import { token, type SiteRecord } from '#core';

export interface SiteChange {
  /** uid of the person; null for the system itself. */
  readonly by: string | null;
  /** Id of the request (`Call.requestId`). */
  readonly request?: string;
}

/** Time zone, frame and vertical datum of each site. Cached in memory with the location tree. */
export interface SiteStore {
  /**
   * The record of the site of a location; defaults for an unknown location or a site without a record. Replaces a time
   * zone that this machine does not know by UTC.
   */
  recordAt(location: string): Promise<SiteRecord>;
  /**
   * Replaces the record of a site and writes an audit entry.
   *
   * @throws `notFound` (404) if the location is no site; `invalidRequest` (400) on an invalid record
   */
  save(site: string, record: SiteRecord, change: SiteChange): Promise<void>;
}
export const SiteStore = token<SiteStore>('core.SiteStore');
