import { MessageBar, MessageBarBody, MessageBarTitle } from '@fluentui/react-components';
import { useAdminStyles } from './use-admin-styles.ts';

export interface ConflictMessageProps {
  readonly title: string;
  readonly hint: string;
  /** The current values of the fields in which the input differs. Undefined without a conflict. */
  readonly differences: readonly string[] | undefined;
}

/** Says that somebody else has changed the record of a form, and to what. */
export function ConflictMessage({ title, hint, differences }: ConflictMessageProps) {
  const styles = useAdminStyles();
  if (differences === undefined) return null;
  return (
    <div role="alert">
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>
          <MessageBarTitle>{title}</MessageBarTitle> {hint}
          {differences.length === 0 ? null : (
            <ul className={styles.report}>
              {differences.map((value) => (
                <li key={value}>{value}</li>
              ))}
            </ul>
          )}
        </MessageBarBody>
      </MessageBar>
    </div>
  );
}
