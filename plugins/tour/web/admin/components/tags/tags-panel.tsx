import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { LocationNode } from '#core';
import { Button, Field, makeStyles, ResourceView, SearchBox, Select } from '#core/ui';
import {
  DelayedSkeleton,
  useAdminStyles,
  usePagedResource,
  type DataTableSort,
  type LastChangeStore,
} from '#core/ui-data';
import { HttpClient, useFormats, useService, useText } from '#core/web';
import type { ContentTag, listContentTags, TagSort } from '../../../../contract/api/tag-content.ts';
import { lineKind, tagKinds } from '../../../../contract/values/tag-values.ts';
import { listLocations } from '../../stores/list-locations.ts';
import { TagAndDocumentMutations } from '../../stores/tag-and-document-mutations.ts';
import { PlaceDialog } from './place-dialog.tsx';
import { TagDrawer } from './tag-drawer.tsx';
import { TagTable } from './tag-table.tsx';

const useStyles = makeStyles({
  filters: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: '16px' },
  search: { width: '100%', maxWidth: 'none' },
  field: { flexGrow: 1, flexBasis: '180px', minWidth: 0, maxWidth: '360px', gridTemplateColumns: 'minmax(0, 1fr)' },
  select: { minWidth: 0 },
});

const filterKinds = [...tagKinds, lineKind] as const;
const placements = ['PLACED', 'UNPLACED'] as const;
const sortColumns: readonly TagSort[] = ['number', 'kind', 'description'];

type OpenDialog = { readonly kind: 'add' } | { readonly kind: 'edit' | 'place'; readonly tag: ContentTag };

export interface PanelProps {
  readonly location: LocationNode;
  readonly lastChange: LastChangeStore;
}

/** Tags and lines of a location with search, filters, table and form. The URL contains the filters. */
export const TagsPanel = observer(function TagsPanel({ location, lastChange }: PanelProps) {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const formats = useFormats();
  const http = useService(HttpClient);
  const [searchParams, setSearchParams] = useSearchParams();
  const [sort, setSort] = useState<DataTableSort>({ column: 'number', direction: 'ascending' });
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const { uid } = location;
  const text = searchParams.get('search') ?? '';
  const kind = filterKinds.find((option) => option === searchParams.get('kind'));
  const placement = placements.find((option) => option === searchParams.get('place'));
  const setParameter = (name: string, value: string): void => {
    const nextParams = new URLSearchParams(searchParams);
    if (value === '') nextParams.delete(name);
    else nextParams.set(name, value);
    setSearchParams(nextParams, { replace: true });
  };
  const pages = usePagedResource(
    (page, signal) =>
      http.call<typeof listContentTags>(
        'GET',
        '/api/tag-content/:location',
        {
          params: { location: uid },
          query: {
            text,
            ...(kind === undefined ? {} : { kind }),
            ...(placement === undefined ? {} : { place: placement }),
            sort: sortColumns.find((column) => column === sort.column) ?? 'number',
            ...(sort.direction === 'descending' ? { descending: 'true' } : {}),
            ...page,
          },
        },
        { signal },
      ),
    [http, uid, text, kind, placement, sort],
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
  const nameByUid = useMemo(() => new Map(listLocations(location).map((node) => [node.uid, node.name])), [location]);
  const getLocationName = useCallback((locationUid: string) => nameByUid.get(locationUid) ?? '', [nameByUid]);
  const edit = useCallback((tag: ContentTag) => setOpenDialog({ kind: 'edit', tag }), []);
  const startPlacing = useCallback((tag: ContentTag) => setOpenDialog({ kind: 'place', tag }), []);
  const close = (): void => setOpenDialog(undefined);
  return (
    <div className={styles.list}>
      <div className={styles.filters}>
        <Field label={t('tour.tags.search')} className={styles.field}>
          <SearchBox
            className={styles.search}
            value={text}
            onChange={(_, { value }) => setParameter('search', value)}
          />
        </Field>
        <Field label={t('tour.tag.kind')} className={styles.field}>
          <Select className={styles.select} value={kind ?? ''} onChange={(_, { value }) => setParameter('kind', value)}>
            <option value="">{t('tour.tags.allKinds')}</option>
            {filterKinds.map((option) => (
              <option key={option} value={option}>
                {t(`tour.kind.${option}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('tour.tag.position')} className={styles.field}>
          <Select
            className={styles.select}
            value={placement ?? ''}
            onChange={(_, { value }) => setParameter('place', value)}
          >
            <option value="">{t('tour.tags.allPlaces')}</option>
            {placements.map((option) => (
              <option key={option} value={option}>
                {t(`tour.tags.${option}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Button appearance="primary" onClick={() => setOpenDialog({ kind: 'add' })}>
          {t('tour.tags.add')}
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
              {t('tour.tags.found', { count: total, shown: formats.number(total) })}
            </p>
            <TagTable
              rows={pages}
              sort={sort}
              onSort={setSort}
              getLocationName={getLocationName}
              onEdit={edit}
              onPlace={startPlacing}
            />
          </>
        )}
      </ResourceView>
      {openDialog?.kind === 'add' || openDialog?.kind === 'edit' ? (
        <TagDrawer
          key={openDialog.kind === 'edit' ? openDialog.tag.uid : ''}
          tag={openDialog.kind === 'edit' ? openDialog.tag : undefined}
          location={location}
          mutations={mutations}
          onPlace={startPlacing}
          onClose={close}
        />
      ) : null}
      {openDialog?.kind === 'place' ? (
        <PlaceDialog tag={openDialog.tag} location={location} mutations={mutations} onClose={close} />
      ) : null}
    </div>
  );
});
