import type { ColumnType, Generated } from 'kysely';
import type { NavigationArea } from '../contract/index.ts';

/** The changed columns of `location_picture`. */
export interface PictureFields {
  readonly icon?: string | null;
  readonly navigation_image?: string | null;
  readonly areas?: readonly NavigationArea[];
}

export interface LocationsTables {
  /**
   * One row per location with images. `icon` and `navigation_image` are file ids. Files of replaced pictures stay in
   * the file store, because undo shows them again.
   */
  readonly location_picture: {
    readonly location: string;
    readonly icon: string | null;
    readonly navigation_image: string | null;
    readonly areas: ColumnType<NavigationArea[], string | undefined, string>;
    readonly version: Generated<number>;
  };
  /** Steps of the set-up that an admin skipped. `step` is empty for the whole list. */
  readonly skipped_step: { readonly step: string };
}
