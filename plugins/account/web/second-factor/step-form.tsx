import { useId, type FormEvent, type ReactNode } from 'react';
import { Button, makeStyles, MessageBar, MessageBarBody, tokens } from '#core/ui';
import { useFormatFailure } from '#core/web';

const useStyles = makeStyles({
  card: {
    padding: tokens.spacingHorizontalXL,
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
  heading: { marginTop: 0, marginBottom: tokens.spacingVerticalXS, fontSize: tokens.fontSizeBase500 },
  hint: { marginTop: 0, marginBottom: tokens.spacingVerticalL, color: tokens.colorNeutralForeground3 },
  form: { display: 'grid', gap: tokens.spacingVerticalL, justifyItems: 'start' },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

export interface StepFormProps {
  readonly title: string;
  readonly hint: string;
  readonly action: string;
  readonly form: { readonly busy: boolean; readonly failure: unknown; submit(event: FormEvent): void };
  readonly children: ReactNode;
  /** Buttons next to the submit button. */
  readonly secondaryActions?: ReactNode;
}

/** A card with a form, its error message and its buttons. */
export function StepForm({ title, hint, action, form, children, secondaryActions }: StepFormProps) {
  const styles = useStyles();
  const formatFailure = useFormatFailure();
  const heading = useId();
  return (
    <section className={styles.card} aria-labelledby={heading}>
      <h2 id={heading} className={styles.heading}>
        {title}
      </h2>
      <p className={styles.hint}>{hint}</p>
      <form className={styles.form} onSubmit={form.submit} noValidate>
        {children}
        {form.failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(form.failure)}</MessageBarBody>
          </MessageBar>
        )}
        <div className={styles.actions}>
          <Button type="submit" appearance="primary" size="large" disabledFocusable={form.busy}>
            {action}
          </Button>
          {secondaryActions}
        </div>
      </form>
    </section>
  );
}
