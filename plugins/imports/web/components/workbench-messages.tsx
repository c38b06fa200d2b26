import { observer } from 'mobx-react-lite';
import { makeStyles, MessageBar, MessageBarActions, MessageBarBody, Button, tokens } from '#core/ui';
import { useFormatFailure, useFormatRefusal, useOffline, useText } from '#core/web';
import type { Import } from '../../contract/api.ts';
import type { OpenImport } from '../stores/open-import.ts';

const useStyles = makeStyles({
  root: { display: 'grid', gap: tokens.spacingVerticalS, ':not(:empty)': { marginBottom: tokens.spacingVerticalM } },
});

export interface WorkbenchMessagesProps {
  readonly openImport: OpenImport;
  readonly currentImport: Import;
}

/** Messages about the whole import: a lost connection, a refused action, rows that were edited since the preview. */
export const WorkbenchMessages = observer(function WorkbenchMessages({
  openImport,
  currentImport,
}: WorkbenchMessagesProps) {
  const t = useText();
  const styles = useStyles();
  const formatFailure = useFormatFailure();
  const formatRefusal = useFormatRefusal();
  const isOffline = useOffline();
  const { failure } = openImport;
  const refusal = currentImport.phase === 'DONE' ? null : currentImport.refusal;
  return (
    <div className={styles.root} role="status">
      {isOffline ? (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{t('imports.offline')}</MessageBarBody>
        </MessageBar>
      ) : null}
      {failure === undefined ? null : (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
          <MessageBarActions>
            <Button onClick={() => openImport.setFailure(undefined)}>{t('imports.dismiss')}</Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {refusal === null ? null : (
        <MessageBar intent={currentImport.phase === 'FILES' ? 'error' : 'warning'} layout="multiline">
          <MessageBarBody>{formatRefusal({ message: refusal.message, refusal })}</MessageBarBody>
        </MessageBar>
      )}
    </div>
  );
});
