import type { FormEvent, ReactNode } from 'react';
import {
  Button,
  DrawerBody,
  DrawerFooter,
  DrawerHeader,
  DrawerHeaderTitle,
  makeStyles,
  MessageBar,
  MessageBarBody,
  OverlayDrawer,
  tokens,
} from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useFormatFailure, useText, useUnsavedWork } from '#core/web';

const useStyles = makeStyles({
  drawer: { width: 'min(560px, 100vw)' },
  form: { display: 'flex', flexDirection: 'column', flexGrow: 1, alignSelf: 'stretch', width: '100%', minHeight: 0 },
  body: { paddingTop: tokens.spacingVerticalS, paddingBottom: tokens.spacingVerticalL },
});

export interface FormDrawerProps {
  readonly title: string;
  readonly action: string;
  readonly busy: boolean;
  /** True if there is unsaved input. */
  readonly changed: boolean;
  readonly failure: unknown;
  readonly onSubmit: (event: FormEvent) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form in a drawer next to the table. Input is preserved if the submission fails. */
export function FormDrawer({ title, action, busy, changed, failure, onSubmit, onClose, children }: FormDrawerProps) {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const formatFailure = useFormatFailure();
  useUnsavedWork(changed, 'tour.tagContent');
  return (
    <OverlayDrawer
      open
      position="end"
      className={styles.drawer}
      onOpenChange={(_, { open, type }) => {
        // A click outside of the drawer must not discard input.
        if (!open && !busy && !(changed && type === 'backdropClick')) onClose();
      }}
    >
      <DrawerHeader>
        <DrawerHeaderTitle>{title}</DrawerHeaderTitle>
      </DrawerHeader>
      <form
        className={styles.form}
        // React events also bubble from dialogs that this form opens.
        onSubmit={(event) => (event.target === event.currentTarget ? onSubmit(event) : undefined)}
        noValidate
      >
        <DrawerBody className={styles.body}>
          <div className={styles.list}>
            <div role="alert">
              {failure === undefined ? null : (
                <MessageBar intent="error" layout="multiline">
                  <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
                </MessageBar>
              )}
            </div>
            {children}
          </div>
        </DrawerBody>
        <DrawerFooter>
          <Button type="submit" appearance="primary" disabled={busy}>
            {action}
          </Button>
          <Button onClick={onClose} disabled={busy}>
            {t('core.cancel')}
          </Button>
        </DrawerFooter>
      </form>
    </OverlayDrawer>
  );
}
