import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  MessageBar,
  MessageBarBody,
} from '@fluentui/react-components';
import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { useFailureWords } from '../../admin/failure-words.ts';

export interface ConfirmDialogProps {
  /** The question. */
  readonly title: string;
  /** What will be lost, and what not. */
  readonly message: string;
  /** What the button does, such as "Delete". */
  readonly action: string;
  /** Does it; where that is refused the dialog stays and says why. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something cannot be undone. */
export function ConfirmDialog({ title, message, action, onConfirm, onClose }: ConfirmDialogProps) {
  const text = useText();
  const failureText = useFailureWords();
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
          <DialogContent>
            {state.failure === undefined ? null : (
              <MessageBar intent="error" layout="multiline">
                <MessageBarBody>{failureText(state.failure)}</MessageBarBody>
              </MessageBar>
            )}
            <p>{message}</p>
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose} disabled={state.busy}>
              {text('core.cancel')}
            </Button>
            <Button appearance="primary" onClick={() => void confirm()} disabled={state.busy}>
              {action}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
