import type { ColumnType } from 'kysely';
import type { NavigationArea } from '../contract/index.ts';

export interface LocationsTables {
  /** One row per location with images. `icon` and `navigation_image` are file ids. */
  readonly location_picture: {
    readonly location: string;
    readonly icon: string | null;
    readonly navigation_image: string | null;
    readonly areas: ColumnType<NavigationArea[], string, string>;
  };
}
