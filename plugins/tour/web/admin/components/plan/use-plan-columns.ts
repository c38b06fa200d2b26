import { makeStyles, tokens } from '#core/ui';

/** A plan beside what belongs to it, or above it where the window is narrow. */
export const usePlanColumns = makeStyles({
  columns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 3fr) minmax(0, 2fr)',
    gap: tokens.spacingHorizontalXL,
    alignItems: 'start',
    '@media (max-width: 1099px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
});
