import { makeStyles, tokens } from '#core/ui';

const narrowQuery = '@media (max-width: 599px)';

/** Styles of the tables and lists of a pose file. On a phone, each row is a list of its cells with their `data-label`. */
export const usePoseStyles = makeStyles({
  table: { width: '100%', borderCollapse: 'collapse', fontVariantNumeric: 'tabular-nums' },
  head: { [narrowQuery]: { display: 'none' } },
  row: {
    [narrowQuery]: {
      display: 'block',
      padding: `${tokens.spacingVerticalS} 0`,
      borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    },
  },
  cell: {
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalS}`,
    textAlign: 'start',
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    overflowWrap: 'anywhere',
    [narrowQuery]: {
      display: 'flex',
      justifyContent: 'space-between',
      gap: tokens.spacingHorizontalM,
      padding: 0,
      borderBottom: 'none',
      '::before': { content: 'attr(data-label)', flexShrink: 0, color: tokens.colorNeutralForeground3 },
    },
  },
  list: { margin: 0, paddingInlineStart: tokens.spacingHorizontalL, overflowWrap: 'anywhere' },
});
