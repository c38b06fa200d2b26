import type { ColumnType } from 'kysely';
import type { NavigationArea } from '../contract/index.ts';

export interface LocationsTables {
  /** One row a location that has pictures; `icon` and `navigation_image` are ids of files. */
  readonly location_picture: {
    readonly location: string;
    readonly icon: string | null;
    readonly navigation_image: string | null;
    readonly areas: ColumnType<NavigationArea[], string, string>;
  };
}
