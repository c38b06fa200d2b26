import { useMemo } from 'react';
import { makeStyles, mergeClasses, tokens } from '#core/ui';
import type { MarkerStyles } from '../viewer/marker-drawing.ts';

const focus = { outline: '2px solid #fff', outlineOffset: '2px', boxShadow: '0 0 0 4px #000' } as const;

const useStyles = makeStyles({
  pin: {
    display: 'grid',
    placeItems: 'center',
    width: '36px',
    height: '36px',
    padding: 0,
    border: 'none',
    backgroundColor: 'transparent',
    color: '#fff',
    font: 'inherit',
    cursor: 'pointer',
    '@media (pointer: coarse)': { width: '44px', height: '44px' },
    ':focus-visible': { ...focus, borderRadius: tokens.borderRadiusMedium },
    ':hover > :last-child': { visibility: 'inherit' },
    ':focus-visible > :last-child': { visibility: 'inherit' },
  },
  selected: {
    zIndex: 1,
    '& > :first-child': { outline: `3px solid ${tokens.colorBrandBackground}` },
    '& > :last-child': { visibility: 'inherit' },
  },
  sign: {
    width: '22px',
    height: '22px',
    padding: '3px',
    boxSizing: 'border-box',
    borderRadius: tokens.borderRadiusMedium,
    border: '2px solid #fff',
    backgroundColor: '#5c2e91',
    boxShadow: '0 1px 4px rgba(0, 0, 0, 0.7)',
  },
  name: {
    position: 'absolute',
    bottom: '100%',
    padding: '1px 8px',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'rgba(0, 0, 0, 0.72)',
    fontSize: '12px',
    lineHeight: '18px',
    whiteSpace: 'nowrap',
    pointerEvents: 'none',
    visibility: 'hidden',
  },
  handle: {
    width: '44px',
    height: '44px',
    padding: 0,
    border: 'none',
    backgroundColor: 'transparent',
    cursor: 'move',
    touchAction: 'none',
    display: 'grid',
    placeItems: 'center',
    '::after': {
      content: '""',
      width: '14px',
      height: '14px',
      boxSizing: 'border-box',
      borderRadius: tokens.borderRadiusCircular,
      backgroundColor: '#ffd335',
      border: '2px solid #000',
    },
    ':focus-visible': { ...focus, borderRadius: tokens.borderRadiusCircular },
  },
  // A white line over a black line is visible on any photograph.
  area: {
    outline: 'none',
    color: '#fff',
    '& path:first-child': { fill: 'none', stroke: 'rgba(0, 0, 0, 0.75)', strokeWidth: '5px', strokeLinejoin: 'round' },
    '& path:nth-child(2)': {
      fill: 'rgba(92, 46, 145, 0.14)',
      stroke: '#fff',
      strokeWidth: '2px',
      strokeLinejoin: 'round',
    },
    '& text': {
      fill: '#fff',
      stroke: '#000',
      strokeWidth: '3px',
      paintOrder: 'stroke',
      fontSize: '13px',
      fontFamily: tokens.fontFamilyBase,
      fontWeight: tokens.fontWeightSemibold,
    },
    '@media (hover: hover)': { ':hover path:nth-child(2)': { fill: 'rgba(92, 46, 145, 0.34)' } },
    ':focus-visible path:first-child': { strokeWidth: '9px' },
    ':focus-visible path:nth-child(2)': { fill: 'rgba(92, 46, 145, 0.34)', strokeWidth: '4px' },
    '@media (forced-colors: active)': { forcedColorAdjust: 'none' },
  },
  areaSelected: {
    '& path:nth-child(2)': { fill: 'rgba(15, 108, 189, 0.26)', strokeWidth: '4px' },
    '& path:first-child': { strokeWidth: '7px' },
  },
  draft: {
    '& path:first-child': { fill: 'none', stroke: '#000', strokeWidth: '4px' },
    '& path:nth-child(2)': {
      fill: 'rgba(255, 211, 53, 0.25)',
      stroke: '#ffd335',
      strokeWidth: '2px',
      strokeDasharray: '6 4',
    },
  },
});

/** Class names of markers. They are white on dark in each theme, because photographs have any brightness. */
export function useMarkerStyles(): MarkerStyles {
  const styles = useStyles();
  return useMemo(() => ({ ...styles, areaSelected: mergeClasses(styles.area, styles.areaSelected) }), [styles]);
}
