import { observer } from 'mobx-react-lite';
import { useEffect, useEffectEvent } from 'react';
import { Button, makeStyles, MessageBar, MessageBarBody, tokens, useId } from '#core/ui';
import { Toast, Toaster, ToastTitle, useToastController } from '#core/ui-data';
import { useFormatFailure, useText } from '#core/web';
import type { LastChange, LocationChangesStore } from '../stores/location-changes-store.ts';

const toastMs = 15_000;

const useStyles = makeStyles({
  line: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalM,
    rowGap: tokens.spacingVerticalXS,
    // The line has its place before there is a change, so that nothing moves.
    minHeight: '44px',
    marginTop: `calc(-1 * ${tokens.spacingVerticalL})`,
    marginBottom: tokens.spacingVerticalS,
    color: tokens.colorNeutralForeground2,
  },
  failure: { marginBottom: tokens.spacingVerticalM },
});

/**
 * The last change, with a button that undoes it: in a line of the screen, for people who need more time, and in a
 * notification that closes by itself.
 */
export const LastChangeLine = observer(function LastChangeLine({
  changes,
}: {
  readonly changes: LocationChangesStore;
}) {
  const styles = useStyles();
  const t = useText();
  const formatFailure = useFormatFailure();
  const toaster = useId('last-change');
  const { dispatchToast, dismissAllToasts, pauseToast, playToast } = useToastController(toaster);
  const { last, undoing, undoFailure } = changes;

  const describe = ({ kind, name, undone }: LastChange): string =>
    t(undone ? `locations.sites.undone.${kind}` : `locations.sites.done.${kind}`, { name });
  const showToast = useEffectEvent((change: LastChange) => {
    dismissAllToasts();
    dispatchToast(
      <Toast onFocus={() => pauseToast(change.uid)} onBlur={() => playToast(change.uid)}>
        <ToastTitle
          action={
            <Button
              onClick={() => {
                dismissAllToasts();
                void changes.undo();
              }}
            >
              {t(change.undone ? 'locations.sites.redo' : 'locations.sites.undo')}
            </Button>
          }
        >
          {describe(change)}
        </ToastTitle>
      </Toast>,
      { toastId: change.uid, intent: 'success', timeout: toastMs, pauseOnHover: true, pauseOnWindowBlur: true },
    );
  });
  useEffect(() => {
    if (last) showToast(last);
  }, [last]);

  return (
    <>
      <div role="alert">
        {undoFailure === undefined ? null : (
          <MessageBar className={styles.failure} intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(undoFailure)}</MessageBarBody>
          </MessageBar>
        )}
      </div>
      <div className={styles.line}>
        {last ? (
          <>
            <span>{t('locations.sites.lastChange', { change: describe(last) })}</span>
            <Button disabledFocusable={undoing} onClick={() => void changes.undo()}>
              {t(last.undone ? 'locations.sites.redo' : 'locations.sites.undo')}
            </Button>
          </>
        ) : null}
      </div>
      <Toaster toasterId={toaster} position="bottom-end" role="region" aria-label={t('locations.sites.notification')} />
    </>
  );
});
