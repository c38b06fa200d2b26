import { makeStyles, tokens } from '#core/ui';

export const headerPx = 40;
/** Width of the first column with the number and the state of a row. */
export const rowHeadPx = 112;

export const useGridStyles = makeStyles({
  scroller: {
    position: 'relative',
    // The header stays above the rows, and below the bar of the shell.
    isolation: 'isolate',
    overflow: 'auto',
    maxHeight: 'max(320px, calc(100dvh - 320px))',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  header: {
    position: 'sticky',
    top: 0,
    zIndex: 2,
    height: `${headerPx}px`,
    backgroundColor: tokens.colorNeutralBackground3,
    fontWeight: tokens.fontWeightSemibold,
  },
  body: { position: 'relative' },
  row: {
    position: 'absolute',
    left: 0,
    right: 0,
    boxSizing: 'border-box',
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    contain: 'strict',
  },
  rowHead: {
    position: 'sticky',
    left: 0,
    zIndex: 1,
    boxSizing: 'border-box',
    width: `${rowHeadPx}px`,
    height: '100%',
    display: 'grid',
    alignContent: 'center',
    padding: `0 ${tokens.spacingHorizontalS}`,
    borderRight: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground2,
    fontVariantNumeric: 'tabular-nums',
  },
  headCell: { backgroundColor: tokens.colorNeutralBackground3 },
  state: { fontSize: tokens.fontSizeBase200, color: tokens.colorNeutralForeground3 },
  errorText: { color: tokens.colorPaletteRedForeground2 },
  warningText: { color: tokens.colorPaletteDarkOrangeForeground2 },
  cell: {
    position: 'absolute',
    top: 0,
    bottom: 0,
    boxSizing: 'border-box',
    display: 'grid',
    alignContent: 'center',
    padding: `0 ${tokens.spacingHorizontalS}`,
    minWidth: 0,
    overflow: 'hidden',
    contain: 'strict',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
  active: { boxShadow: `inset 0 0 0 1px ${tokens.colorBrandStroke1}` },
  error: {
    backgroundColor: tokens.colorPaletteRedBackground1,
    borderLeft: `3px solid ${tokens.colorPaletteRedBorderActive}`,
  },
  warning: {
    backgroundColor: tokens.colorPaletteYellowBackground1,
    borderLeft: `3px solid ${tokens.colorPaletteYellowBorderActive}`,
  },
  changed: { backgroundColor: tokens.colorPaletteBlueBackground2 },
  line: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  message: {
    overflow: 'hidden',
    display: '-webkit-box',
    WebkitLineClamp: 2,
    WebkitBoxOrient: 'vertical',
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  old: { color: tokens.colorNeutralForeground3 },
  editor: { width: '100%', minWidth: 0 },
});
