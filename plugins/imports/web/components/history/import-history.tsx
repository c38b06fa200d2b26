import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useState } from 'react';
import { routeUrl } from '#core';
import { Button, EmptyState, Field, PageTitle, ResourceView, Select, useRestoreFocusTarget } from '#core/ui';
import { DataTable, useAdminStyles, usePagedResource, type DataColumn } from '#core/ui-data';
import { HttpClient, I18n, Locations, Navigation, RouteLink, useService, useText } from '#core/web';
import { importWorkbench } from '../../../contract/index.ts';
import type { ImportKindInfo, listImports } from '../../../contract/api.ts';
import { siteExportsPathSegment } from '../../stores/site-exports-path-segment.ts';
import { useImportParams } from '../../stores/use-import-params.ts';
import { UndoDialog } from '../undo-dialog.tsx';
import { ActionsCell, CountsCell, SubjectCell, WhenCell, type ListedImport } from './history-cells.tsx';
import { ResultBadge } from '../result-badge.tsx';

/** The imports of all admins with their results, latest first. */
export const ImportHistory = observer(function ImportHistory({ kinds }: { readonly kinds: readonly ImportKindInfo[] }) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const navigation = useService(Navigation);
  const locations = useService(Locations);
  const params = useImportParams();
  const opener = useRestoreFocusTarget();
  const { language } = useService(I18n);
  const [undoneImport, setUndoneImport] = useState<ListedImport>();
  // The names of the sites are shown.
  useEffect(() => {
    void locations.load();
  }, [locations]);
  const kind = kinds.find(({ id }) => id === params.get('kind'))?.id;
  const rows = usePagedResource(
    ({ offset, limit }, signal) =>
      http.call<typeof listImports>(
        'GET',
        '/api/imports',
        { query: { offset, limit, ...(kind === undefined ? {} : { kind }) } },
        { signal },
      ),
    [http, kind],
    undefined,
  );
  const columns = useMemo((): readonly DataColumn<ListedImport>[] => {
    const buildColumn = (id: string, width: string, cell: DataColumn<ListedImport>['cell'], titleHidden = false) => ({
      id,
      title: t(`imports.history.${id}`),
      width,
      cell,
      titleHidden,
    });
    return [
      buildColumn('subject', 'minmax(0, 3fr)', (row, tabIndex) => (
        <SubjectCell row={row} kinds={kinds} tabIndex={tabIndex} />
      )),
      buildColumn('when', 'minmax(184px, 2fr)', (row) => <WhenCell row={row} />),
      buildColumn('counts', 'minmax(0, 2fr)', (row) => <CountsCell row={row} />),
      buildColumn('result', '132px', (row) => <ResultBadge shownImport={row} />),
      buildColumn(
        'actions',
        '112px',
        (row, tabIndex) => <ActionsCell row={row} tabIndex={tabIndex} onUndo={setUndoneImport} />,
        true,
      ),
    ];
  }, [t, kinds]);
  const startImport = (): void =>
    navigation.goToUrl(
      routeUrl(importWorkbench, { batch: 'new' }) + (kind === undefined ? '' : `?kind=${encodeURIComponent(kind)}`),
    );
  const exportLink = (
    <RouteLink to={importWorkbench} params={{ batch: siteExportsPathSegment }}>
      {t('imports.export.title')}
    </RouteLink>
  );
  const newButton = (
    <Button appearance="primary" onClick={startImport}>
      {t('imports.history.new')}
    </Button>
  );
  if (kinds.length === 0)
    return (
      <>
        <PageTitle title={t('imports.title')} />
        <EmptyState title={t('imports.history.noKinds')} message={t('imports.history.noKindsHint')} />
      </>
    );
  return (
    <div {...opener}>
      <PageTitle
        title={t('imports.title')}
        hint={t('imports.history.hint')}
        actions={
          <>
            {exportLink}
            {newButton}
          </>
        }
      />
      <div className={styles.bar}>
        <Field label={t('imports.new.kind')} className={styles.choice}>
          <Select value={kind ?? ''} onChange={(_, { value }) => params.set({ kind: value })}>
            <option value="">{t('imports.history.allKinds')}</option>
            {kinds.map(({ id, title }) => (
              <option key={id} value={id}>
                {title[language]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <ResourceView resource={rows} noAccessTo={{ title: t('imports.noAccess'), accessToRequest: 'import' }}>
        {({ total }) =>
          total === 0 ? (
            <EmptyState
              title={t(kind === undefined ? 'imports.history.none' : 'imports.history.noneOfKind')}
              message={t('imports.history.noneHint')}
              action={newButton}
            />
          ) : (
            <DataTable
              label={t('imports.history')}
              columns={columns}
              rows={rows}
              rowHeightPx={64}
              narrow={{ belowPx: 720, rowHeightPx: 216 }}
              empty={t('imports.history.none')}
            />
          )
        }
      </ResourceView>
      {undoneImport === undefined ? null : (
        <UndoDialog
          undoneImport={undoneImport}
          kindTitle={kinds.find(({ id }) => id === undoneImport.kind)?.title[language] ?? undoneImport.kind}
          onDone={() => rows.load()}
          onClose={() => setUndoneImport(undefined)}
        />
      )}
    </div>
  );
});
