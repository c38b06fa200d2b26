import type { SiteRecord } from './site-record.ts';

/** One file on disk of the machine that seeds. */
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
  /** What a person reads below the name, such as `Process module M10`. */
  readonly label: string;
  /** uid of the parent; null for a primary location. */
  readonly parent: string | null;
  /** uid of the primary location above (its own uid for a primary location). */
  readonly root: string;
  readonly locationType: DemoLocationType;
  /** Of a primary location. */
  readonly site?: SiteRecord;
}

/**
 * What core seeds of the demo plant. The CLI hands the whole plant to each plugin's `server/demo.ts`; what a plugin
 * reads beyond this is described in its contract (`contract/demo.ts`) and may be missing.
 */
export interface DemoPlant {
  readonly name: string;
  /** Parents before children. */
  readonly locations: readonly DemoLocation[];
  /** Login backgrounds, 1920 x 1200 JPEG. */
  readonly loginBackgrounds: readonly DemoFile[];
}
