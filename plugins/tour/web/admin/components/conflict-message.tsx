import { MessageBar, MessageBarBody, MessageBarTitle } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';

export interface ConflictMessageProps {
  /** Labels and current values of the fields whose input differs. Undefined without a conflict. */
  readonly differences: readonly (readonly [label: string, value: string])[] | undefined;
}

/** Shows that somebody else has changed the record of a form, with the current values. */
export function ConflictMessage({ differences }: ConflictMessageProps) {
  const t = useText();
  const styles = useAdminStyles();
  return (
    <div role="alert">
      {differences === undefined ? null : (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            <MessageBarTitle>{t('tour.content.conflict')}</MessageBarTitle>{' '}
            {t(differences.length === 0 ? 'tour.content.conflictSame' : 'tour.content.conflictHint')}
            {differences.length === 0 ? null : (
              <ul className={styles.report}>
                {differences.map(([label, value]) => (
                  <li key={label}>{t('tour.content.fieldValue', { field: label, value })}</li>
                ))}
              </ul>
            )}
          </MessageBarBody>
        </MessageBar>
      )}
    </div>
  );
}
