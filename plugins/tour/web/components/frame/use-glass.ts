import { makeStyles, tokens } from '#core/ui';

/**
 * The surface of overlays on a picture: the theme's background, slightly translucent, so that text keeps its contrast
 * on any picture.
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

/** Below this width the layout is for phones: the rail is a bar at the bottom, the panel a sheet. */
export const phone = '@media (max-width: 639px)';
export const phoneQuery = '(max-width: 639px)';

/** Below this width the map, the tools, the zoom and an open panel do not fit next to each other: the map is hidden. */
export const narrow = '@media (max-width: 1199px)';
