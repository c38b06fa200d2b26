import { useMemo } from 'react';
import { makeStyles, mergeClasses, tokens } from '#core/ui';
import { dwellMs } from '../viewer/hover-navigation.ts';
import type { PinStyles } from '../viewer/pins.ts';

const useStyles = makeStyles({
  button: {
    display: 'grid',
    placeItems: 'center',
    padding: 0,
    border: 'none',
    backgroundColor: 'transparent',
    color: '#fff',
    font: 'inherit',
    cursor: 'pointer',
    ':focus-visible': {
      outline: '2px solid #fff',
      outlineOffset: '2px',
      boxShadow: '0 0 0 4px #000',
      borderRadius: tokens.borderRadiusMedium,
    },
  },
  hotspot: { minWidth: '48px', minHeight: '48px', gap: '2px', ':hover > :first-child': { scale: '1.12' } },
  dwelling: {
    ':hover > :first-child': {
      animationName: { from: { boxShadow: 'inset 0 0 0 0 #fff' }, to: { boxShadow: 'inset 0 0 0 1.5em #fff' } },
      animationDuration: `${dwellMs}ms`,
      animationTimingFunction: 'linear',
      animationFillMode: 'forwards',
    },
  },
  mark: {
    display: 'grid',
    placeItems: 'center',
    width: '2em',
    height: '2em',
    border: '3px solid #fff',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: 'rgba(0, 0, 0, 0.35)',
    filter: 'drop-shadow(0 1px 3px rgba(0, 0, 0, 0.7))',
    transitionProperty: 'scale',
    transitionDuration: '150ms',
  },
  disc: {
    transform: 'scaleY(0.45)',
    '::after': {
      content: '""',
      width: '0.7em',
      height: '0.7em',
      borderRadius: tokens.borderRadiusCircular,
      backgroundColor: '#fff',
    },
  },
  arrow: { fontWeight: tokens.fontWeightBold, lineHeight: 1 },
  visited: { border: '3px solid #b7e0ff', '::after': { backgroundColor: '#b7e0ff' } },
  name: {
    padding: '1px 8px',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'rgba(0, 0, 0, 0.72)',
    fontSize: '12px',
    lineHeight: '18px',
    whiteSpace: 'nowrap',
  },
  tag: {
    width: '32px',
    height: '32px',
    ':hover > :last-child': { visibility: 'inherit' },
    ':focus-visible > :last-child': { visibility: 'inherit' },
    '@media (pointer: coarse)': { width: '44px', height: '44px' },
  },
  dot: {
    width: '14px',
    height: '14px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorBrandBackground,
    border: '2px solid #fff',
    boxShadow: '0 1px 4px rgba(0, 0, 0, 0.7)',
    boxSizing: 'border-box',
  },
  tagName: { position: 'absolute', bottom: '100%', pointerEvents: 'none', visibility: 'hidden' },
  selected: {
    zIndex: 1,
    '& > :first-child': { width: '20px', height: '20px', outline: `3px solid ${tokens.colorBrandBackground}` },
    '& > :last-child': { visibility: 'inherit' },
  },
});

/** Class names of pins. The pins are white on dark in each theme, because photographs have any brightness. */
export function usePinStyles(): PinStyles {
  const styles = useStyles();
  return useMemo(
    () => ({
      hotspot: mergeClasses(styles.button, styles.hotspot),
      dwelling: styles.dwelling,
      disc: mergeClasses(styles.mark, styles.disc),
      arrow: mergeClasses(styles.mark, styles.arrow),
      visited: styles.visited,
      hotspotName: styles.name,
      tag: mergeClasses(styles.button, styles.tag),
      selected: styles.selected,
      dot: styles.dot,
      tagName: mergeClasses(styles.name, styles.tagName),
    }),
    [styles],
  );
}
