import { makeStyles, tokens } from '#core/ui';

/**
 * The appearance of overlays on a picture. The theme's background is slightly translucent, so that text keeps its
 * contrast on any picture.
 */
export const useGlass = makeStyles({
  glass: {
    backgroundColor: `color-mix(in srgb, ${tokens.colorNeutralBackground1} 88%, transparent)`,
    color: tokens.colorNeutralForeground1,
    backdropFilter: 'blur(10px)',
    boxShadow: tokens.shadow8,
    '@media (forced-colors: active)': { backgroundColor: 'Canvas', border: '1px solid CanvasText' },
  },
  rounded: { borderRadius: tokens.borderRadiusXLarge },
});

/** Layout for phones: the rail is a bar at the bottom, and the panel is a sheet. */
export const phone = '@media (max-width: 639px)';
export const phoneQuery = '(max-width: 639px)';

/** Layout for windows that are too narrow for map, tools, zoom and panel side by side: the panel hides the map. */
export const narrow = '@media (max-width: 1199px)';
export const narrowQuery = '(max-width: 1199px)';

/** Layout for windows that are too low for the map below the rail: the map is next to the rail, and hidden at first. */
export const low = '@media (min-width: 640px) and (max-height: 599px)';
export const lowQuery = '(max-height: 599px)';
