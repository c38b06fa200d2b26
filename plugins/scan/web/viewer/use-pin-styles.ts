import { makeStyles, tokens } from '#core/ui';

/** Styles of scan station pins, over panoramas and point clouds. */
export const usePinStyles = makeStyles({
  pin: {
    display: 'grid',
    placeItems: 'center',
    minWidth: '48px',
    minHeight: '48px',
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
    '::before': {
      content: '""',
      width: '20px',
      height: '20px',
      transform: 'rotate(45deg)',
      border: '3px solid #fff',
      backgroundColor: 'rgba(0, 0, 0, 0.45)',
      filter: 'drop-shadow(0 1px 3px rgba(0, 0, 0, 0.7))',
    },
  },
  name: {
    padding: '1px 8px',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'rgba(0, 0, 0, 0.72)',
    fontSize: '12px',
    lineHeight: '18px',
    whiteSpace: 'nowrap',
  },
});
