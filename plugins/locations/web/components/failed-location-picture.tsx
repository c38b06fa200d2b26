import { Button, makeStyles, tokens } from '#core/ui';
import { useText } from '#core/web';

const useStyles = makeStyles({
  root: {
    display: 'grid',
    placeContent: 'center',
    justifyItems: 'center',
    gap: tokens.spacingVerticalM,
    padding: tokens.spacingHorizontalL,
    textAlign: 'center',
    aspectRatio: '1980 / 1080',
    color: tokens.colorNeutralForeground2,
    backgroundColor: tokens.colorNeutralBackground3,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
});

/** The space of a navigation image that could not be loaded. */
export function FailedLocationPicture({ onRetry }: { readonly onRetry: () => void }) {
  const styles = useStyles();
  const t = useText();
  return (
    <div role="status" className={styles.root}>
      {t('locations.unit.pictureFailed')}
      <Button onClick={onRetry}>{t('core.tryAgain')}</Button>
    </div>
  );
}
