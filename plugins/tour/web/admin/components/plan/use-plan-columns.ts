import { makeStyles, tokens } from '#core/ui';

/** Layout of a plan next to its form, or above the form in a narrow window. */
export const usePlanColumns = makeStyles({
  columns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 3fr) minmax(0, 2fr)',
    gap: tokens.spacingHorizontalXL,
    alignItems: 'start',
    '@media (max-width: 1099px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
});
