import { MessageBar, MessageBarBody, MessageBarTitle } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';

export interface ConflictMessageProps {
  /** Labels and current values of the fields whose input differs. Undefined without a conflict. */
  readonly differing: readonly (readonly [label: string, value: string])[] | undefined;
}

/** Shows that somebody else has changed the record of a form, with the current values. */
export function ConflictMessage({ differing }: ConflictMessageProps) {
  const t = useText();
  const styles = useAdminStyles();
  return (
    <div role="alert">
      {differing === undefined ? null : (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            <MessageBarTitle>{t('tour.content.conflict')}</MessageBarTitle>{' '}
            {t(differing.length === 0 ? 'tour.content.conflictSame' : 'tour.content.conflictHint')}
            {differing.length === 0 ? null : (
              <ul className={styles.report}>
                {differing.map(([label, value]) => (
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
