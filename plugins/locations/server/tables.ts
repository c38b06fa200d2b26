import type { ColumnType, Generated } from 'kysely';
import type { NavigationArea } from '../contract/index.ts';

/** The fields of a row that a change changed. Both sides of a change have the same fields. */
export interface PictureFields {
  readonly icon?: string | null;
  readonly navigation_image?: string | null;
  readonly areas?: readonly NavigationArea[];
}

export interface LocationsTables {
  /** One row per location with images. `icon` and `navigation_image` are file ids. */
  readonly location_picture: {
    readonly location: string;
    readonly icon: string | null;
    readonly navigation_image: string | null;
    readonly areas: ColumnType<NavigationArea[], string | undefined, string>;
    readonly version: Generated<number>;
  };
  /**
   * All changes, never deleted. The files of replaced pictures stay in the file store, because undo shows them again. A
   * later cleanup may delete those that only changes older than 30 days name.
   */
  readonly picture_change: {
    readonly uid: string;
    readonly at: Date;
    readonly action: string;
    readonly location: string;
    readonly before: ColumnType<PictureFields, string, never>;
    readonly after: ColumnType<PictureFields, string, never>;
    readonly undone_by: string | null;
  };
}
