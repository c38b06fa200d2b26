import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Badge, Button, EmptyState, Field, makeStyles, ResourceView, SearchBox, useRestoreFocusTarget } from '#core/ui';
import {
  DataTable,
  DelayedSkeleton,
  useAdminStyles,
  usePagedResource,
  type DataColumn,
  type DataTableSort,
} from '#core/ui-data';
import { HttpClient, useFormats, useService, useText } from '#core/web';
import type { ContentDocument, listContentDocuments } from '../../../../contract/api/document-content.ts';
import { TagAndDocumentMutations } from '../../stores/tag-and-document-mutations.ts';
import type { PanelProps } from '../tags/tags-panel.tsx';
import { DocumentDrawer } from './document-drawer.tsx';

const useStyles = makeStyles({
  filters: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: '16px' },
  search: { width: '100%', maxWidth: 'none' },
  field: { flexGrow: 1, flexBasis: '180px', minWidth: 0, maxWidth: '360px' },
  truncated: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
});

/** The documents of a location: search, table and form. */
export const DocumentsPanel = observer(function DocumentsPanel({ location, lastChange }: PanelProps) {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const formats = useFormats();
  const http = useService(HttpClient);
  const [searchParams, setSearchParams] = useSearchParams();
  const [sort, setSort] = useState<DataTableSort>({ column: 'code', direction: 'ascending' });
  const [openDrawer, setOpenDrawer] = useState<{ readonly document: ContentDocument | undefined }>();
  const { uid } = location;
  const text = searchParams.get('search') ?? '';
  const search = (value: string): void => {
    const nextParams = new URLSearchParams(searchParams);
    if (value === '') nextParams.delete('search');
    else nextParams.set('search', value);
    setSearchParams(nextParams, { replace: true });
  };
  const pages = usePagedResource(
    (page, signal) =>
      http.call<typeof listContentDocuments>(
        'GET',
        '/api/document-content/:location',
        {
          params: { location: uid },
          query: {
            text,
            sort: sort.column === 'title' ? 'title' : 'code',
            ...(sort.direction === 'descending' ? { descending: 'true' } : {}),
            ...page,
          },
        },
        { signal },
      ),
    [http, uid, text, sort],
    uid,
  );
  // An undo at one location may end after the person has chosen another location. It then reloads the shown pages.
  const currentPages = useRef(pages);
  useEffect(() => {
    currentPages.current = pages;
  }, [pages]);
  const mutations = useMemo(
    () => new TagAndDocumentMutations(http, uid, lastChange, async () => currentPages.current.load()),
    [http, uid, lastChange],
  );
  const columns = useMemo(
    (): readonly DataColumn<ContentDocument>[] => [
      {
        id: 'code',
        title: t('tour.content.code'),
        width: 'minmax(0, 1.2fr)',
        sortable: true,
        cell: ({ code }) => <strong>{code}</strong>,
      },
      {
        id: 'title',
        title: t('tour.documents.name'),
        width: 'minmax(0, 2fr)',
        sortable: true,
        cell: ({ title }) => title,
      },
      {
        id: 'revision',
        title: t('tour.documents.latest'),
        width: 'minmax(0, 1fr)',
        cell: ({ revisions: [latest] }) =>
          latest ? (
            t('tour.documents.revisionAndStatus', { revision: latest.revision, status: latest.status })
          ) : (
            <Badge appearance="tint" color="warning">
              {t('tour.documents.noRevision')}
            </Badge>
          ),
      },
      {
        id: 'actions',
        title: t('tour.tags.actions'),
        titleHidden: true,
        width: '120px',
        cell: (document, tabIndex) => (
          <EditButton code={document.code} tabIndex={tabIndex} onClick={() => setOpenDrawer({ document })} />
        ),
      },
    ],
    [t],
  );
  return (
    <div className={styles.list}>
      <div className={styles.filters}>
        <Field label={t('tour.documents.search')} className={styles.field}>
          <SearchBox className={styles.search} value={text} onChange={(_, { value }) => search(value)} />
        </Field>
        <Button appearance="primary" onClick={() => setOpenDrawer({ document: undefined })}>
          {t('tour.documents.add')}
        </Button>
      </div>
      <ResourceView
        resource={pages}
        noAccessTo={{ title: t('tour.content.noAccess'), accessToRequest: 'anyLocation' }}
        waiting={<DelayedSkeleton />}
      >
        {({ total }) => (
          <>
            <p role="status" className={styles.note}>
              {t('tour.documents.found', { count: total, shown: formats.number(total) })}
            </p>
            <DataTable
              label={t('tour.documents.title')}
              rows={pages}
              columns={columns}
              rowHeightPx={56}
              narrow={{ belowPx: 640, rowHeightPx: 164 }}
              sort={sort}
              onSort={setSort}
              empty={<EmptyState title={t('tour.documents.nothing')} message={t('tour.documents.nothingHint')} />}
            />
          </>
        )}
      </ResourceView>
      {openDrawer ? (
        <DocumentDrawer
          key={openDrawer.document?.uid ?? ''}
          document={openDrawer.document}
          location={location}
          mutations={mutations}
          onClose={() => setOpenDrawer(undefined)}
        />
      ) : null}
    </div>
  );
});

interface EditButtonProps {
  readonly code: string;
  readonly tabIndex: 0 | -1;
  readonly onClick: () => void;
}

function EditButton({ code, tabIndex, onClick }: EditButtonProps) {
  const t = useText();
  const opener = useRestoreFocusTarget();
  return (
    <Button {...opener} tabIndex={tabIndex} aria-label={t('tour.content.editOne', { code })} onClick={onClick}>
      {t('tour.content.edit')}
    </Button>
  );
}
