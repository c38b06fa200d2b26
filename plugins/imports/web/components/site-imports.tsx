import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { Button, Field, MessageBar, MessageBarBody, ProgressBar, ResourceView } from '#core/ui';
import { FileChoice, useAdminStyles } from '#core/ui-data';
import { HttpClient, Session, useFormatFailure, useResource, useService, useText } from '#core/web';
import type { applySiteImport, cancelSiteImport, listSiteImports } from '../../contract/api.ts';
import { useImportSession } from '../stores/use-import-session.ts';
import { useTransferStyles } from './site-export-card.tsx';
import { SiteImportCard } from './site-import-card.tsx';

/** Uploads the ZIP file of an exported site, shows what it would change, and imports it after a confirmation. */
export const SiteImports = observer(function SiteImports() {
  const t = useText();
  const styles = useAdminStyles();
  const transferStyles = useTransferStyles();
  const http = useService(HttpClient);
  const flags = useService(Session).me?.access.flags;
  const formatFailure = useFormatFailure();
  const { siteUpload } = useImportSession();
  const [file, setFile] = useState<File>();
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const imports = useResource(
    (signal) => http.call<typeof listSiteImports>('GET', '/api/site-imports', { query: { limit: 50 } }, { signal }),
    [http],
  );
  const { currentUpload } = siteUpload;
  const isSending = currentUpload?.state === 'SENDING';
  const chosenFile = file ?? currentUpload?.file;
  const send = async (): Promise<void> => {
    if (!chosenFile) return;
    setState({ busy: false });
    // A retry of the same file keeps its uid, so that it creates no second import.
    await siteUpload.send(chosenFile, chosenFile === currentUpload?.file ? currentUpload.uid : undefined);
  };
  const { receivedCount } = siteUpload;
  const lastReceivedCount = useRef(receivedCount);
  useEffect(() => {
    if (lastReceivedCount.current === receivedCount) return;
    lastReceivedCount.current = receivedCount;
    setFile(undefined);
    void imports.load();
  }, [imports, receivedCount]);
  const decide = async (request: () => Promise<unknown>): Promise<void> => {
    setState({ busy: true });
    try {
      await request();
      setState({ busy: false });
    } catch (failure) {
      setState({ busy: false, failure });
    }
    await imports.load();
  };
  const failure = state.failure ?? (currentUpload?.state === 'FAILED' ? currentUpload.failure : undefined);
  return (
    <>
      <div className={styles.card}>
        <h2 className={transferStyles.name}>{t('imports.siteImport.title')}</h2>
        <p className={styles.note}>{t('imports.siteImport.hint')}</p>
        {flags?.includes('configure') === false ? (
          <MessageBar intent="info" layout="multiline">
            <MessageBarBody>{t('imports.siteImport.noRight')}</MessageBarBody>
          </MessageBar>
        ) : (
          <>
            <FileChoice
              files={chosenFile ? [chosenFile] : []}
              accept=".zip"
              disabled={isSending}
              hint={t('imports.siteImport.file')}
              onChange={([first]) => setFile(first)}
            />
            {currentUpload === undefined || currentUpload.state === 'FAILED' ? null : (
              <Field
                label={
                  currentUpload.state === 'INTERRUPTED'
                    ? t('imports.upload.interrupted', { fraction: currentUpload.fraction })
                    : currentUpload.fraction < 1
                      ? t('imports.upload.sending', { fraction: currentUpload.fraction })
                      : t('imports.upload.received')
                }
              >
                <ProgressBar {...(currentUpload.fraction < 1 ? { value: currentUpload.fraction } : {})} />
              </Field>
            )}
            <div className={styles.actions}>
              <Button appearance="primary" disabled={chosenFile === undefined || isSending} onClick={() => void send()}>
                {t(currentUpload && !isSending ? 'imports.upload.again' : 'imports.siteImport.upload')}
              </Button>
              {currentUpload ? <Button onClick={() => siteUpload.cancel()}>{t('imports.upload.cancel')}</Button> : null}
            </div>
          </>
        )}
        {failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
          </MessageBar>
        )}
      </div>
      <ResourceView resource={imports} noAccessTo={{ title: t('imports.noAccess'), accessToRequest: 'import' }}>
        {({ rows }) => (
          <div className={transferStyles.list}>
            {rows.map((row) => {
              const createHandler =
                (path: '/api/site-imports/:import/apply' | '/api/site-imports/:import/cancel') => () =>
                  void decide(() =>
                    http.call<typeof applySiteImport | typeof cancelSiteImport>('POST', path, {
                      params: { import: row.uid },
                    }),
                  );
              return (
                <SiteImportCard
                  key={row.uid}
                  siteImport={row}
                  busy={state.busy}
                  onApply={createHandler('/api/site-imports/:import/apply')}
                  onCancel={createHandler('/api/site-imports/:import/cancel')}
                  onEnded={() => void imports.load()}
                />
              );
            })}
          </div>
        )}
      </ResourceView>
    </>
  );
});
