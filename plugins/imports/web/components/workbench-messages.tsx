import { observer } from 'mobx-react-lite';
import { makeStyles, MessageBar, MessageBarActions, MessageBarBody, Button, tokens } from '#core/ui';
import { I18n, RouteLink, useFormatFailure, useFormatRefusal, useOffline, useService, useText } from '#core/web';
import type { Import, ImportKindInfo } from '../../contract/api.ts';
import { formatKindTitle } from '../../common/kind-title.ts';
import { importWorkbench } from '../../contract/index.ts';
import type { OpenImport } from '../stores/open-import.ts';

const useStyles = makeStyles({
  root: { display: 'grid', gap: tokens.spacingVerticalS, ':not(:empty)': { marginBottom: tokens.spacingVerticalM } },
});

export interface WorkbenchMessagesProps {
  readonly openImport: OpenImport;
  readonly currentImport: Import;
  /** All kinds that the person may import. */
  readonly kinds: readonly ImportKindInfo[];
}

/** Messages about the whole import: a lost connection, a refused action, rows that were edited since the preview. */
export const WorkbenchMessages = observer(function WorkbenchMessages({
  openImport,
  currentImport,
  kinds,
}: WorkbenchMessagesProps) {
  const t = useText();
  const styles = useStyles();
  const formatFailure = useFormatFailure();
  const formatRefusal = useFormatRefusal();
  const isOffline = useOffline();
  const { failure } = openImport;
  const { language } = useService(I18n);
  const refusal = currentImport.phase === 'DONE' ? null : currentImport.refusal;
  const resembledKind = kinds.find(({ title }) => formatKindTitle(title) === refusal?.values?.['kind']);
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
          {resembledKind ? (
            <MessageBarActions>
              <RouteLink
                to={importWorkbench}
                params={{ batch: 'new' }}
                search={new URLSearchParams({
                  kind: resembledKind.id,
                  ...(currentImport.site === null ? {} : { site: currentImport.site }),
                }).toString()}
              >
                {t('imports.new.otherKind', { kind: resembledKind.title[language] })}
              </RouteLink>
            </MessageBarActions>
          ) : null}
        </MessageBar>
      )}
    </div>
  );
});
