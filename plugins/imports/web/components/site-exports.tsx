import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Button, EmptyState, Field, MessageBar, MessageBarBody, PageTitle, ResourceView, Select } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { HttpClient, I18n, Locations, RouteLink, useFormatFailure, useResource, useService, useText } from '#core/web';
import { importsAdmin } from '../../contract/index.ts';
import type { cancelSiteExport, createSiteExport, listSiteExports } from '../../contract/api.ts';
import { useImportParams } from '../stores/use-import-params.ts';
import { SiteExportCard, useTransferStyles } from './site-export-card.tsx';
import { SiteImports } from './site-imports.tsx';

/** Starts exports of whole sites, and lists the person's own exports until their files are deleted. */
export const SiteExports = observer(function SiteExports() {
  const t = useText();
  const styles = useAdminStyles();
  const transferStyles = useTransferStyles();
  const http = useService(HttpClient);
  const { language } = useService(I18n);
  const locations = useService(Locations);
  const params = useImportParams();
  const formatFailure = useFormatFailure();
  // The uid stays the same until the server replies, so that a retry starts no second export.
  const [uid, setUid] = useState(() => crypto.randomUUID());
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const exports = useResource(
    (signal) => http.call<typeof listSiteExports>('GET', '/api/site-exports', { query: { limit: 50 } }, { signal }),
    [http],
  );
  useEffect(() => {
    void locations.load();
  }, [locations]);
  const site = locations.find(params.get('site') ?? '') ?? locations.roots[0];
  const send = async (request: () => Promise<unknown>): Promise<void> => {
    setState({ busy: true });
    try {
      await request();
      setState({ busy: false });
    } catch (failure) {
      setState({ busy: false, failure });
    }
    await exports.load();
  };
  const start = (location: string): Promise<void> =>
    send(async () => {
      await http.call<typeof createSiteExport>('POST', '/api/site-exports/:location', {
        params: { location },
        body: { uid, language },
      });
      setUid(crypto.randomUUID());
    });
  const cancel = (exportUid: string): Promise<void> =>
    send(() =>
      http.call<typeof cancelSiteExport>('POST', '/api/site-exports/:export/cancel', { params: { export: exportUid } }),
    );
  return (
    <div className={transferStyles.list}>
      <PageTitle
        title={t('imports.export.title')}
        hint={t('imports.export.hint')}
        actions={<RouteLink to={importsAdmin}>{t('imports.title')}</RouteLink>}
      />
      <div className={styles.card}>
        <h2 className={transferStyles.name}>{t('imports.export.own')}</h2>
        <Field label={t('imports.new.site')} className={styles.choice}>
          <Select
            value={site?.uid ?? ''}
            disabled={locations.state === 'loading'}
            onChange={(_, { value }) => params.set({ site: value })}
          >
            {locations.roots.map((root) => (
              <option key={root.uid} value={root.uid}>
                {root.name}
              </option>
            ))}
          </Select>
        </Field>
        <p className={styles.note}>{t('imports.export.contents')}</p>
        <div className={styles.actions}>
          <Button
            appearance="primary"
            disabled={state.busy || site === undefined}
            onClick={() => site && void start(site.uid)}
          >
            {t('imports.export.start')}
          </Button>
        </div>
        {state.failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(state.failure)}</MessageBarBody>
          </MessageBar>
        )}
      </div>
      <ResourceView resource={exports} noAccessTo={{ title: t('imports.noAccess'), accessToRequest: 'import' }}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title={t('imports.export.none')} message={t('imports.export.noneHint')} />
          ) : (
            <div className={transferStyles.list}>
              {rows.map((row) => (
                <SiteExportCard
                  key={row.uid}
                  siteExport={row}
                  onCancel={() => void cancel(row.uid)}
                  onEnded={() => void exports.load()}
                />
              ))}
            </div>
          )
        }
      </ResourceView>
      <SiteImports />
    </div>
  );
});
