import { tourValue } from './tour-value.ts';

export interface CommonMapVisibility {
  readonly visible: boolean;
  readonly tourCode: string | null;
  readonly tourId: string | null;
}

/** Required by TOUR-03. They are defined here until the plugins for drawings and maps own them. */
export const selectedPid = tourValue<string | undefined>('pid.selected', undefined);
export const commonMapImage = tourValue<string | undefined>('common-map.image', undefined);
export const commonMapVisibility = tourValue<CommonMapVisibility>('common-map.visibility', {
  visible: false,
  tourCode: null,
  tourId: null,
});
