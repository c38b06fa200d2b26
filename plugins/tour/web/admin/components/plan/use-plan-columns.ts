import { makeStyles, tokens } from '#core/ui';

/** Height of the content of a dialog that fills the window: without the margins, the title and the buttons. */
const contentHeight = 'calc(100vh - 128px)';
const narrow = '@media (max-width: 959px)';

/**
 * Layout of a plan next to its form, or above the form in a narrow window. The plan stays in its place when the form
 * grows: the form scrolls by itself, or is below in a dialog of constant height.
 */
export const usePlanColumns = makeStyles({
  columns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 3fr) minmax(396px, 2fr)',
    gridTemplateRows: 'minmax(0, 1fr)',
    gap: tokens.spacingHorizontalXL,
    height: contentHeight,
    [narrow]: {
      gridTemplateColumns: 'minmax(0, 1fr)',
      gridTemplateRows: 'auto auto',
      alignContent: 'start',
      height: 'auto',
      minHeight: contentHeight,
    },
  },
  /** Padded for the outline of the focus. */
  form: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    alignContent: 'start',
    gap: tokens.spacingVerticalM,
    padding: '2px',
    overflowY: 'auto',
    [narrow]: { overflowY: 'visible' },
  },
});
