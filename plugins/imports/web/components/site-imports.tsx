import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { Button, Field, MessageBar, MessageBarBody, ProgressBar, ResourceView } from '#core/ui';
import { FileChoice, useAdminStyles } from '#core/ui-data';
import { HttpClient, Session, useFormatFailure, useResource, useService, useText } from '#core/web';
import type { applySiteImport, cancelSiteImport, listSiteImports } from '../../contract/api.ts';
import { useImportSession } from '../stores/use-import-session.ts';
import { useTransferStyles } from './site-export-card.tsx';
import { SiteImportCard } from './site-import-card.tsx';

/** Takes the ZIP file of an exported site, shows what it would change, and imports it once that is decided. */
export const SiteImports = observer(function SiteImports() {
  const t = useText();
  const styles = useAdminStyles();
  const { name, list } = useTransferStyles();
  const http = useService(HttpClient);
  const flags = useService(Session).me?.access.flags;
  const formatFailure = useFormatFailure();
  const { site: upload } = useImportSession();
  const [file, setFile] = useState<File>();
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const imports = useResource(
    (signal) => http.call<typeof listSiteImports>('GET', '/api/site-imports', { query: { limit: 50 } }, { signal }),
    [http],
  );
  const { sending } = upload;
  const isSending = sending?.state === 'SENDING';
  const chosenFile = file ?? sending?.file;
  const send = async (): Promise<void> => {
    if (!chosenFile) return;
    setState({ busy: false });
    // The same file is the same import, so that a retry makes no second one.
    await upload.send(chosenFile, chosenFile === sending?.file ? sending.uid : undefined);
  };
  const { received } = upload;
  const lastReceived = useRef(received);
  useEffect(() => {
    if (lastReceived.current === received) return;
    lastReceived.current = received;
    setFile(undefined);
    void imports.load();
  }, [imports, received]);
  const decide = async (work: () => Promise<unknown>): Promise<void> => {
    setState({ busy: true });
    try {
      await work();
      setState({ busy: false });
    } catch (failure) {
      setState({ busy: false, failure });
    }
    await imports.load();
  };
  const failure = state.failure ?? (sending?.state === 'FAILED' ? sending.failure : undefined);
  return (
    <>
      <div className={styles.card}>
        <h2 className={name}>{t('imports.siteImport.title')}</h2>
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
            {sending === undefined || sending.state === 'FAILED' ? null : (
              <Field
                label={
                  sending.state === 'INTERRUPTED'
                    ? t('imports.upload.interrupted', { fraction: sending.fraction })
                    : sending.fraction < 1
                      ? t('imports.upload.sending', { fraction: sending.fraction })
                      : t('imports.upload.received')
                }
              >
                <ProgressBar {...(sending.fraction < 1 ? { value: sending.fraction } : {})} />
              </Field>
            )}
            <div className={styles.actions}>
              <Button appearance="primary" disabled={chosenFile === undefined || isSending} onClick={() => void send()}>
                {t(sending && !isSending ? 'imports.upload.again' : 'imports.siteImport.upload')}
              </Button>
              {sending ? <Button onClick={() => upload.cancel()}>{t('imports.upload.cancel')}</Button> : null}
            </div>
          </>
        )}
        {failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
          </MessageBar>
        )}
      </div>
      <ResourceView resource={imports} noAccessTo={{ title: t('imports.noAccess'), feature: 'import' }}>
        {({ rows }) => (
          <div className={list}>
            {rows.map((row) => {
              const call = (path: '/api/site-imports/:import/apply' | '/api/site-imports/:import/cancel') => () =>
                void decide(() =>
                  http.call<typeof applySiteImport | typeof cancelSiteImport>('POST', path, {
                    params: { import: row.uid },
                  }),
                );
              return (
                <SiteImportCard
                  key={row.uid}
                  value={row}
                  busy={state.busy}
                  onApply={call('/api/site-imports/:import/apply')}
                  onCancel={call('/api/site-imports/:import/cancel')}
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
