import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Toast,
  Toaster,
  ToastTitle,
  tokens,
  useId,
  useToastController,
} from '@fluentui/react-components';
import { observer } from 'mobx-react-lite';
import { useEffect, useEffectEvent } from 'react';
import type { LastChange, LastChangeStore } from '../../admin/last-change-store.ts';
import { useFormatFailure } from '../../admin/use-format-failure.ts';
import { useText } from '../../i18n/use-text.ts';

const toastMs = 15_000;
/** Windows without a side menu, in which the notification would cover the content. */
const withoutMenuQuery = '(max-width: 1023px)';

const useStyles = makeStyles({
  line: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalM,
    rowGap: tokens.spacingVerticalXS,
    // Reserves the line's height before the first change, so that the layout does not shift.
    minHeight: '44px',
    marginTop: `calc(-1 * ${tokens.spacingVerticalL})`,
    marginBottom: tokens.spacingVerticalS,
    color: tokens.colorNeutralForeground2,
  },
  failure: { marginBottom: tokens.spacingVerticalM },
  // Narrower than the menu below it (240 px), so that it never covers form fields.
  toast: { maxWidth: '224px', gridTemplateColumns: 'auto minmax(0, 1fr)' },
  toastTitle: { display: 'block', overflowWrap: 'anywhere' },
});

export interface LastChangeLineProps {
  readonly lastChange: LastChangeStore;
}

/**
 * The last change with a button that undoes it: in a line of the screen, for people who need more time, and in large
 * windows also in a notification that closes by itself.
 */
export const LastChangeLine = observer(function LastChangeLine({ lastChange }: LastChangeLineProps) {
  const styles = useStyles();
  const t = useText();
  const formatFailure = useFormatFailure();
  const toasterId = useId('last-change');
  const { dispatchToast, dismissAllToasts, pauseToast, playToast } = useToastController(toasterId);
  const { last, undoing, undoFailure } = lastChange;

  const describe = ({ texts, values, isUndone }: LastChange): string => t(isUndone ? texts.undone : texts.done, values);
  const undoLabel = (isUndone: boolean): string => t(isUndone ? 'core.change.redo' : 'core.change.undo');
  const showToast = useEffectEvent((change: LastChange) => {
    dismissAllToasts();
    if (matchMedia(withoutMenuQuery).matches) return;
    const toastId = `${change.uids.join(' ')} ${change.isUndone}`;
    dispatchToast(
      <Toast className={styles.toast} onFocus={() => pauseToast(toastId)} onBlur={() => playToast(toastId)}>
        <ToastTitle
          className={styles.toastTitle}
          action={
            <Button
              onClick={() => {
                dismissAllToasts();
                void lastChange.undo();
              }}
            >
              {undoLabel(change.isUndone)}
            </Button>
          }
        >
          {describe(change)}
        </ToastTitle>
      </Toast>,
      { toastId, intent: 'success', timeout: toastMs, pauseOnHover: true, pauseOnWindowBlur: true },
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
            <span>{t('core.change.last', { change: describe(last) })}</span>
            <Button disabledFocusable={undoing} onClick={() => void lastChange.undo()}>
              {undoLabel(last.isUndone)}
            </Button>
          </>
        ) : null}
      </div>
      <Toaster
        toasterId={toasterId}
        position="bottom-start"
        offset={{ horizontal: 8, vertical: 8 }}
        role="region"
        aria-label={t('core.change.notification')}
      />
    </>
  );
});
