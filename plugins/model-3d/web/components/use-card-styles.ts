import { makeStyles, tokens } from '#core/ui';

/** Below this width, the panels are sheets at the bottom. */
const phone = '@media (max-width: 639px)';

/** Styles of the panels that cover a part of the model. */
export const useCardStyles = makeStyles({
  card: {
    position: 'absolute',
    display: 'flex',
    flexDirection: 'column',
    overflow: 'hidden',
    backgroundColor: `color-mix(in srgb, ${tokens.colorNeutralBackground1} 92%, transparent)`,
    color: tokens.colorNeutralForeground1,
    borderRadius: tokens.borderRadiusXLarge,
    boxShadow: tokens.shadow8,
    backdropFilter: 'blur(10px)',
    '@media (forced-colors: active)': { backgroundColor: 'Canvas', border: '1px solid CanvasText' },
  },
  // Lies between the tool bar and the map. On a phone, the compass is to its right.
  panel: {
    left: 'var(--viewer-left)',
    top: 'calc(var(--viewer-top) + 8px)',
    bottom: 'var(--viewer-left-corner)',
    width: '304px',
    maxWidth: 'calc(100% - var(--viewer-left) - 8px)',
    minHeight: '240px',
    [phone]: {
      left: 0,
      right: 0,
      top: 'auto',
      bottom: 'var(--viewer-bottom)',
      width: 'auto',
      maxWidth: 'none',
      height: '46%',
      minHeight: 0,
      borderRadius: 0,
      paddingRight: 'var(--viewer-right-corner)',
    },
  },
  section: {
    left: 'calc((100% - var(--viewer-right) - 8px) / 2)',
    bottom: 'var(--viewer-bottom)',
    transform: 'translateX(-50%)',
    width: 'min(420px, calc(100% - var(--viewer-right) - 24px))',
    padding: '8px 16px 12px',
    boxSizing: 'border-box',
    gap: '8px',
    [phone]: { left: '8px', transform: 'none', width: 'calc(100% - var(--viewer-right-corner) - 16px)' },
  },
  head: { display: 'flex', alignItems: 'center', gap: '4px', padding: '4px 4px 4px 16px' },
  title: {
    margin: 0,
    flexGrow: 1,
    minWidth: 0,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
    overflowWrap: 'anywhere',
  },
});
