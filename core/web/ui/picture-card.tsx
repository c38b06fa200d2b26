import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { HTMLAttributes } from 'react';

const useStyles = makeStyles({
  card: {
    position: 'absolute',
    left: 'calc(var(--viewer-free-left, 0px) + var(--viewer-free-width, 100%) / 2)',
    top: 'calc(var(--viewer-free-top, 0px) + var(--viewer-free-height, 100%) / 2)',
    transform: 'translate(-50%, -50%)',
    boxSizing: 'border-box',
    width: 'min(480px, calc(var(--viewer-free-width, 100%) - 32px))',
    maxHeight: 'max(160px, calc(var(--viewer-free-height, 100%) - 16px))',
    overflowY: 'auto',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    boxShadow: tokens.shadow16,
  },
});

/** A card with the state of an image, such as a failure, in the centre of the area that panels leave free. */
export function PictureCard({ className, ...props }: HTMLAttributes<HTMLDivElement>) {
  const styles = useStyles();
  return <div {...props} className={mergeClasses(styles.card, className)} />;
}
