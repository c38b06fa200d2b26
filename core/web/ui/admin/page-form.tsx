import { Button, makeStyles, MessageBar, MessageBarBody } from '@fluentui/react-components';
import { useEffect, useRef, type FormEvent, type ReactNode } from 'react';
import { useFormatFailure } from '../../admin/use-format-failure.ts';
import { useAdminStyles } from './use-admin-styles.ts';

const useStyles = makeStyles({ form: { maxWidth: '640px' } });

export interface PageFormProps {
  /** Name of the form. */
  readonly label: string;
  readonly action: string;
  readonly busy: boolean;
  readonly failure: unknown;
  readonly onSubmit: (event: FormEvent) => void;
  readonly children: ReactNode;
}

/** A form that is the content of a screen. Input is preserved if the submission fails. */
export function PageForm({ label, action, busy, failure, onSubmit, children }: PageFormProps) {
  const styles = useAdminStyles();
  const ownStyles = useStyles();
  const formatFailure = useFormatFailure();
  const messageBar = useRef<HTMLDivElement>(null);
  // Scrolls to the message, which may be far above the button.
  useEffect(() => {
    if (failure !== undefined) messageBar.current?.scrollIntoView?.({ block: 'nearest' });
  }, [failure]);
  return (
    <form className={ownStyles.form} aria-label={label} onSubmit={onSubmit} noValidate>
      <div className={styles.card}>
        {failure === undefined ? null : (
          <div role="alert" ref={messageBar}>
            <MessageBar intent="error" layout="multiline">
              <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
            </MessageBar>
          </div>
        )}
        {children}
        <div className={styles.actions}>
          <Button type="submit" appearance="primary" disabled={busy}>
            {action}
          </Button>
        </div>
      </div>
    </form>
  );
}
