import { makeStyles, tokens } from '#core/ui';

/**
 * What floats over a picture: the theme's own background, a little translucent, so that its words keep their contrast
 * whatever lies beneath.
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

/** Under this width the tour is laid out for a phone: the rail becomes a bar at the bottom, the panel a sheet. */
export const phone = '@media (max-width: 639px)';
export const phoneQuery = '(max-width: 639px)';

/** Under this width the map, the tools, the zoom and an open panel do not fit beside each other: the map gives way. */
export const narrow = '@media (max-width: 1199px)';
