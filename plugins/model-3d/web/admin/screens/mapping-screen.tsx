import { observer } from 'mobx-react-lite';
import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { encodeViewState, type LocationNode, type ReplyOf } from '#core';
import { EmptyState, Field, makeStyles, PageTitle, SearchBox, Select } from '#core/ui';
import { AtLocation, DelayedSkeleton, LocationChoice, useAdminStyles, usePagedResource } from '#core/ui-data';
import {
  HttpClient,
  Navigation,
  RouteLink,
  useChosenLocation,
  useFormats,
  useResource,
  useService,
  useText,
} from '#core/web';
import type { Page } from '#core/api';
import { tourView } from '#plugins/tour';
import type { openTour, OpenedTour } from '#plugins/tour/api';
import type { listObjects, MappedObject } from '../../../contract/api.ts';
import { modelsAdmin, objectStates, tagRulesAdmin, type ObjectState } from '../../../contract/index.ts';
import { MappingDialog } from '../components/mapping-dialog.tsx';
import { MappingTable, type MappingRow } from '../components/mapping-table.tsx';

const useStyles = makeStyles({
  filters: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: '16px', marginBottom: '16px' },
  search: { width: '100%', maxWidth: 'none' },
  // A long option or number is truncated instead of widening the field.
  wideField: {
    flexGrow: 1,
    flexBasis: '240px',
    minWidth: 0,
    maxWidth: '420px',
    gridTemplateColumns: 'minmax(0, 1fr)',
  },
  linkFilter: { minWidth: 0 },
});

/**
 * Maps the objects of models to tags and nodes of the tour (RTE-10 `3d-mapping`). The query parameters of the URL are
 * the filters.
 */
const MappingScreen = observer(function MappingScreen() {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const http = useService(HttpClient);
  const formats = useFormats();
  const [location, setLocation] = useChosenLocation();
  const [searchParams, setSearchParams] = useSearchParams();
  const [editedObject, setEditedObject] = useState<MappedObject>();
  const uid = location?.uid;
  const text = searchParams.get('search') ?? '';
  const linkFilter: ObjectState = objectStates.find((option) => option === searchParams.get('state')) ?? 'ALL';
  const setParameter = (name: string, value: string): void => {
    const newParams = new URLSearchParams(searchParams);
    if (value === '') newParams.delete(name);
    else newParams.set(name, value);
    setSearchParams(newParams, { replace: true });
  };
  const objectPages = usePagedResource(
    (page, signal) =>
      uid === undefined
        ? undefined
        : http
            .call<typeof listObjects>(
              'GET',
              '/api/model-3d/:location/objects',
              { params: { location: uid }, query: { text, state: linkFilter, ...page } },
              { signal },
            )
            .then((reply) => toPage(reply, page.offset)),
    [http, uid, text, linkFilter],
    uid,
  );
  const tour = useResource(
    (signal) =>
      uid === undefined
        ? undefined
        : http.call<typeof openTour>(
            'GET',
            '/api/tour/:location',
            { params: { location: uid }, query: {} },
            { signal },
          ),
    [http, uid],
  );
  const openedTour = tour.value;
  const tourUrl = useService(Navigation).linkTo(tourView, { location: openedTour?.tour.location ?? uid ?? '' });
  const findLink = useCallback(
    (object: MappedObject) => findObjectLink(object, openedTour, tourUrl),
    [openedTour, tourUrl],
  );
  const getNodeName = useCallback(
    (node: string) => openedTour?.nodes.find((candidate) => candidate.uid === node)?.name ?? node,
    [openedTour],
  );

  const renderList = (
    { total, counts }: Pick<MappingPage, 'total' | 'counts'>,
    { uid: locationUid, name }: LocationNode,
  ): React.ReactNode =>
    counts.ALL === 0 && linkFilter !== 'TAG_WITHOUT_OBJECT' ? (
      <EmptyState
        title={t('model-3d.mapping.noObjects', { name })}
        message={t('model-3d.mapping.noObjectsHint')}
        action={
          <RouteLink to={modelsAdmin} search={`location=${encodeURIComponent(locationUid)}`}>
            {t('model-3d.mapping.toModels')}
          </RouteLink>
        }
      />
    ) : (
      <>
        <p role="status" className={styles.note}>
          {t('model-3d.mapping.found', { count: total, shown: formats.number(total) })}
        </p>
        <MappingTable rows={objectPages} findLink={findLink} getNodeName={getNodeName} onEdit={setEditedObject} />
      </>
    );

  return (
    <>
      <PageTitle title={t('model-3d.mapping.title')} hint={t('model-3d.mapping.hint')} />
      {location === undefined ? null : (
        <div className={styles.filters}>
          <div className={styles.wideField}>
            <LocationChoice label={t('model-3d.admin.location')} value={location.uid} onChange={setLocation} />
          </div>
          <Field label={t('model-3d.mapping.state')} className={styles.wideField}>
            <Select
              className={styles.linkFilter}
              value={linkFilter}
              onChange={(_, { value }) => setParameter('state', value === 'ALL' ? '' : value)}
            >
              {objectStates.map((option) => (
                <option key={option} value={option}>
                  {t(`model-3d.mapping.state.${option}`)}
                  {objectPages.value ? ` (${formats.number(objectPages.value.counts[option])})` : ''}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={t('model-3d.mapping.search')} className={styles.wideField}>
            <SearchBox
              className={styles.search}
              value={text}
              onChange={(_, { value }) => setParameter('search', value)}
            />
          </Field>
          <RouteLink to={tagRulesAdmin} search={`location=${encodeURIComponent(location.uid)}`}>
            {t('model-3d.rules.title')}
          </RouteLink>
        </div>
      )}
      <AtLocation
        location={location}
        resource={objectPages}
        noAccessTo="tools"
        noLocation={{ title: t('model-3d.admin.noLocation'), message: t('model-3d.admin.noLocationHint') }}
        waiting={<DelayedSkeleton />}
      >
        {renderList}
      </AtLocation>
      {editedObject && uid !== undefined ? (
        <MappingDialog
          object={editedObject}
          location={uid}
          nodes={openedTour?.nodes ?? []}
          onClose={() => setEditedObject(undefined)}
          onSaved={() => objectPages.load()}
        />
      ) : null}
    </>
  );
});
export default MappingScreen;

interface MappingPage extends Page<MappingRow> {
  readonly counts: ReplyOf<typeof listObjects>['counts'];
}

function toPage({ total, counts, objects, tags }: ReplyOf<typeof listObjects>, offset: number): MappingPage {
  return { total, counts, offset, rows: tags.length > 0 ? tags : objects };
}

/** Returns the URL that shows the object in the 3D view from the start node of the tour. */
function findObjectLink(
  object: MappedObject,
  openedTour: OpenedTour | undefined,
  tourUrl: string | undefined,
): string | undefined {
  const start = openedTour?.nodes.find((node) => node.uid === openedTour.tour.startNode) ?? openedTour?.nodes[0];
  if (!start || tourUrl === undefined) return undefined;
  const tag = object.mappedTag ? object.mappedTag.number : object.tag;
  return `${tourUrl}?${encodeViewState({ v: 1, module: 'model-3d.module', node: start.code, pos: start.position, ...start.view, fov: 75, ...(tag ? { sel: tag } : {}), layers: { object: `${object.model} ${object.key}` } })}`;
}
