import { token, type SiteRecord } from '#core';

/** Who changes a location or the record of a site. */
export interface LocationAuthor {
  /** uid of the person. Null is the system itself. */
  readonly by: string | null;
  /** Id of the request (`Call.requestId`). */
  readonly request?: string;
}

/** Time zone, frame and vertical datum of each site. Cached in memory with the location tree. */
export interface SiteStore {
  /**
   * Returns the record of the site of a location, or the default record for an unknown location or a site without a
   * record. UTC replaces a time zone that this machine does not know.
   */
  recordAt(location: string): Promise<SiteRecord>;
  /**
   * Replaces the record of a site and writes an audit entry. Resolves to the uid of the change, which can be undone,
   * or to null if the site already has this record.
   *
   * @throws `notFound` (404) if the location is no site; `invalidRequest` (400) on an invalid record
   */
  save(site: string, record: SiteRecord, author: LocationAuthor): Promise<string | null>;
}
export const SiteStore = token<SiteStore>('core.SiteStore');
