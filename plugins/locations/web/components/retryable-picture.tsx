import { useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';
import { Button, makeStyles, tokens } from '#core/ui';
import { useText } from '#core/web';

const useStyles = makeStyles({
  space: { outlineStyle: 'none' },
  card: {
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
  // Without a picture, the element must not take a row of the page's grid.
  empty: { position: 'absolute' },
});

export interface RetryablePictureProps {
  /** Whether the last attempt failed. It stays true during a retry, so that the card and the focus stay. */
  readonly failed: boolean;
  readonly retrying: boolean;
  readonly onRetry: () => void;
  /** The picture. It is hidden while the card is shown. Null if the location has none. */
  readonly children: ReactNode;
}

/** The space of a picture. If it could not be loaded, a card offers to try again. */
export function RetryablePicture({ failed, retrying, onRetry, children }: RetryablePictureProps) {
  const styles = useStyles();
  const t = useText();
  const space = useRef<HTMLDivElement>(null);
  return (
    <div ref={space} tabIndex={-1} className={failed || children !== null ? styles.space : styles.empty}>
      <div className={failed ? styles.card : undefined}>
        {/* Screen readers announce only changes of a status that was on the page before. */}
        <div role="status">{failed ? t(retrying ? 'core.loading' : 'locations.unit.pictureFailed') : null}</div>
        {failed ? <RetryButton retrying={retrying} onRetry={onRetry} space={space} /> : null}
      </div>
      <div hidden={failed}>{children}</div>
    </div>
  );
}

interface RetryButtonProps extends Pick<RetryablePictureProps, 'retrying' | 'onRetry'> {
  /** Contains the button, and gets its focus when the button is removed. */
  readonly space: RefObject<HTMLElement | null>;
}

function RetryButton({ retrying, onRetry, space }: RetryButtonProps) {
  const t = useText();
  useLayoutEffect(() => {
    const element = space.current;
    return () => {
      if (element?.contains(document.activeElement)) element.focus({ preventScroll: true });
    };
  }, [space]);
  return (
    <Button disabledFocusable={retrying} onClick={onRetry}>
      {t('core.tryAgain')}
    </Button>
  );
}
