import type { SiteRecord } from './site-record.ts';

/** A local file of the process that seeds the demo. */
export interface DemoFile {
  /** Absolute path. */
  readonly path: string;
  /** Name without folder, such as `HB-P01.jpg`. */
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export type DemoLocationType = 'PRIMARY_LOCATION' | 'PLATFORM_UNIT' | 'LOC_LEVEL' | 'LOC_GROUP';

export interface DemoLocation {
  readonly uid: string;
  /** Short name, such as `Halvorsen Bravo`. */
  readonly name: string;
  /** Subtitle, such as `Process module M10`. */
  readonly label: string;
  /** uid of the parent; null for a primary location. */
  readonly parent: string | null;
  /** uid of the primary location (its own uid for a primary location). */
  readonly root: string;
  readonly locationType: DemoLocationType;
  /** Only for a primary location. */
  readonly site?: SiteRecord;
}

/**
 * The part of the demo plant that core seeds. The CLI passes the whole plant to each plugin's `server/demo.ts`; further
 * fields are optional and described in the plugin's contract (`contract/demo.ts`).
 */
export interface DemoPlant {
  readonly name: string;
  /** Parents before children. */
  readonly locations: readonly DemoLocation[];
  /** Login backgrounds, 1920 x 1200 JPEG. */
  readonly loginBackgrounds: readonly DemoFile[];
}
