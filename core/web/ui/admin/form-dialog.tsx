import { useEffect, useRef, type FormEvent, type ReactNode } from 'react';
import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  mergeClasses,
  MessageBar,
  MessageBarBody,
  tokens,
} from '@fluentui/react-components';
import { useText } from '../../i18n/use-text.ts';
import { useFormatFailure } from '../../admin/use-format-failure.ts';
import { useAdminStyles } from './use-admin-styles.ts';

export interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  /** Label of the button that only closes the dialog. Default: "Cancel", which is unclear if a part is saved already. */
  readonly dismissal?: string;
  readonly busy: boolean;
  readonly failure: unknown;
  readonly onSubmit: (event: FormEvent) => void;
  readonly onClose: () => void;
  /** Uses the width of the window, for a form with a picture. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

const useStyles = makeStyles({
  wide: { width: 'min(1280px, 96vw)', maxWidth: 'none' },
  content: { paddingTop: tokens.spacingVerticalS, paddingBottom: tokens.spacingVerticalS },
});

/** A form in a dialog. Input is preserved if the submission fails. */
export function FormDialog({
  title,
  action,
  dismissal,
  busy,
  failure,
  onSubmit,
  onClose,
  wide = false,
  children,
}: FormDialogProps) {
  const styles = useAdminStyles();
  const ownStyles = useStyles();
  const text = useText();
  const formatFailure = useFormatFailure();
  const messageBar = useRef<HTMLDivElement>(null);
  // Scrolls to the message, which may be far above the button.
  useEffect(() => {
    if (failure !== undefined) messageBar.current?.scrollIntoView?.({ block: 'nearest' });
  }, [failure]);
  // A disabled button loses the focus. Restores it, so that the dialog receives keyboard events.
  const form = useRef<HTMLFormElement>(null);
  const wasBusy = useRef(busy);
  useEffect(() => {
    if (wasBusy.current && !busy && document.activeElement === document.body)
      form.current?.querySelector<HTMLButtonElement>('button[type=submit]')?.focus();
    wasBusy.current = busy;
  }, [busy]);
  return (
    <Dialog
      open
      modalType="modal"
      // A click outside of the dialog does not close it, so that no input is lost.
      onOpenChange={(_, { open, type }) => (open || busy || type === 'backdropClick' ? undefined : onClose())}
    >
      <DialogSurface {...(wide ? { className: ownStyles.wide } : {})}>
        <form ref={form} onSubmit={onSubmit} noValidate>
          <DialogBody>
            <DialogTitle>{title}</DialogTitle>
            <DialogContent className={mergeClasses(styles.form, ownStyles.content)}>
              {failure === undefined ? null : (
                <div ref={messageBar}>
                  <MessageBar intent="error" layout="multiline">
                    <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
                  </MessageBar>
                </div>
              )}
              {children}
            </DialogContent>
            <DialogActions fluid>
              <Button onClick={onClose} disabled={busy}>
                {dismissal ?? text('core.cancel')}
              </Button>
              <Button type="submit" appearance="primary" disabled={busy}>
                {action}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}
