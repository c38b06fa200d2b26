import { makeStyles, MessageBar, MessageBarBody, tokens } from '#core/ui';
import { useOffline, useText } from '#core/web';

const useStyles = makeStyles({ bar: { marginBottom: tokens.spacingVerticalL } });

/** Reports that the connection is lost. */
export function OfflineNote() {
  const styles = useStyles();
  const t = useText();
  const offline = useOffline();
  return (
    <div role="status">
      {offline ? (
        <MessageBar intent="warning" layout="multiline" className={styles.bar}>
          <MessageBarBody>{t('core.offlineNote')}</MessageBarBody>
        </MessageBar>
      ) : null}
    </div>
  );
}
