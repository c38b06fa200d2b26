import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Spinner,
  tokens,
} from '@fluentui/react-components';
import { useState, type ReactNode } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { useFormatFailure } from '../../admin/use-format-failure.ts';

const useStyles = makeStyles({
  content: { display: 'grid', gridAutoRows: 'max-content', rowGap: tokens.spacingVerticalM },
  message: { margin: 0 },
});

export interface ConfirmDialogProps {
  readonly title: string;
  /** Explains what will be lost and what will stay. */
  readonly message: string;
  /** Details below the message. */
  readonly children?: ReactNode;
  /** True while the action is impossible. The message or the details explain why. */
  readonly blocked?: boolean;
  /** Label of the confirm button, such as "Delete". */
  readonly action: string;
  /**
   * Label of the button that only closes the dialog. Default: "Cancel", which is unclear if the action cancels
   * something.
   */
  readonly dismissal?: string;
  /** Runs the action. If it rejects, the dialog stays open and shows the reason. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for confirmation before an irreversible action. */
export function ConfirmDialog({
  title,
  message,
  children,
  blocked = false,
  action,
  dismissal,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const text = useText();
  const styles = useStyles();
  const formatFailure = useFormatFailure();
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const confirm = async (): Promise<void> => {
    setState({ busy: true });
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setState({ busy: false, failure });
    }
  };
  return (
    <Dialog open modalType="alert" onOpenChange={(_, { open }) => (open || state.busy ? undefined : onClose())}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{title}</DialogTitle>
          <DialogContent className={styles.content}>
            {state.failure === undefined ? null : (
              <MessageBar intent="error" layout="multiline">
                <MessageBarBody>{formatFailure(state.failure)}</MessageBarBody>
              </MessageBar>
            )}
            <p className={styles.message}>{message}</p>
            {children}
          </DialogContent>
          <DialogActions fluid>
            <Button onClick={onClose} disabled={state.busy}>
              {dismissal ?? text('core.cancel')}
            </Button>
            <Button
              appearance="primary"
              icon={state.busy ? <Spinner size="tiny" aria-hidden /> : null}
              aria-busy={state.busy}
              onClick={() => void confirm()}
              disabled={state.busy || blocked}
            >
              {action}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
