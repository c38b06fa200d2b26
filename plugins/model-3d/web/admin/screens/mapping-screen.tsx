import { observer } from 'mobx-react-lite';
import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { encodeViewState, type LocationNode, type ReplyOf } from '#core';
import { EmptyState, Field, ListSkeleton, makeStyles, PageTitle, SearchBox, Select, useDelayed } from '#core/ui';
import { AtLocation, LocationChoice, useAdminStyles, usePagedResource } from '#core/ui-data';
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
import { modelsAdmin, objectStates, type ObjectState } from '../../../contract/index.ts';
import { MappingDialog } from '../components/mapping-dialog.tsx';
import { MappingTable, type MappingRow } from '../components/mapping-table.tsx';

const useStyles = makeStyles({
  filters: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: '16px', marginBottom: '16px' },
  search: { width: '100%', maxWidth: 'none' },
  wide: { flexGrow: 1, flexBasis: '240px', minWidth: 0, maxWidth: '420px' },
});

/**
 * RTE-10 `3d-mapping`: the objects of models with the tags of the tour. The address contains filter and search text.
 */
const MappingScreen = observer(function MappingScreen() {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const http = useService(HttpClient);
  const formats = useFormats();
  const [location, choose] = useChosenLocation();
  const [address, setAddress] = useSearchParams();
  const [edited, setEdited] = useState<MappedObject>();
  const uid = location?.uid;
  const text = address.get('search') ?? '';
  const state: ObjectState = objectStates.find((known) => known === address.get('state')) ?? 'ALL';
  const set = (name: string, value: string): void => {
    const next = new URLSearchParams(address);
    if (value === '') next.delete(name);
    else next.set(name, value);
    setAddress(next, { replace: true });
  };
  const pages = usePagedResource(
    (page, signal) =>
      uid === undefined
        ? undefined
        : http
            .call<typeof listObjects>(
              'GET',
              '/api/model-3d/:location/objects',
              { params: { location: uid }, query: { text, state, ...page } },
              { signal },
            )
            .then((found) => toPage(found, page.offset)),
    [http, uid, text, state],
  );
  const tour = useResource(
    (signal) =>
      uid === undefined
        ? undefined
        : http.call<typeof openTour>('GET', '/api/tour/:location', { params: { location: uid } }, { signal }),
    [http, uid],
  );
  const opened = tour.value;
  const tourAddress = useService(Navigation).linkTo(tourView, { location: opened?.tour.location ?? uid ?? '' });
  const findLink = useCallback((object: MappedObject) => linkTo(object, opened, tourAddress), [opened, tourAddress]);
  const nodeName = useCallback(
    (node: string) => opened?.nodes.find((each) => each.uid === node)?.name ?? node,
    [opened],
  );

  const shown = (found: MappingPage, at: LocationNode): React.ReactNode =>
    found.counts.ALL === 0 && state !== 'TAG_WITHOUT_OBJECT' ? (
      <EmptyState
        title={t('model-3d.mapping.noObjects', { name: at.name })}
        message={t('model-3d.mapping.noObjectsHint')}
        action={
          <RouteLink to={modelsAdmin} search={`location=${encodeURIComponent(at.uid)}`}>
            {t('model-3d.mapping.toModels')}
          </RouteLink>
        }
      />
    ) : (
      <>
        <p role="status" className={styles.note}>
          {t('model-3d.mapping.found', { count: found.total, shown: formats.number(found.total) })}
        </p>
        <MappingTable rows={pages} findLink={findLink} nodeName={nodeName} onEdit={setEdited} />
      </>
    );

  return (
    <>
      <PageTitle title={t('model-3d.mapping.title')} hint={t('model-3d.mapping.hint')} />
      {location === undefined ? null : (
        <div className={styles.filters}>
          <div className={styles.wide}>
            <LocationChoice label={t('model-3d.admin.location')} value={location.uid} onChange={choose} />
          </div>
          <Field label={t('model-3d.mapping.state')} className={styles.wide}>
            <Select value={state} onChange={(_, { value }) => set('state', value === 'ALL' ? '' : value)}>
              {objectStates.map((known) => (
                <option key={known} value={known}>
                  {t(`model-3d.mapping.state.${known}`)}
                  {pages.value ? ` (${formats.number(pages.value.counts[known])})` : ''}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={t('model-3d.mapping.search')} className={styles.wide}>
            <SearchBox className={styles.search} value={text} onChange={(_, { value }) => set('search', value)} />
          </Field>
        </div>
      )}
      <AtLocation
        location={location}
        resource={pages}
        noAccessTo="tools"
        noLocation={{ title: t('model-3d.admin.noLocation'), message: t('model-3d.admin.noLocationHint') }}
        waiting={<Waiting />}
      >
        {shown}
      </AtLocation>
      {edited && uid !== undefined ? (
        <MappingDialog
          object={edited}
          location={uid}
          nodes={opened?.nodes ?? []}
          onClose={() => setEdited(undefined)}
          onSaved={() => pages.load()}
        />
      ) : null}
    </>
  );
});
export default MappingScreen;

/** While typing, the previous list stays visible, because a skeleton would flicker. */
function Waiting() {
  return useDelayed(300) ? <ListSkeleton /> : null;
}

interface MappingPage extends Page<MappingRow> {
  readonly counts: ReplyOf<typeof listObjects>['counts'];
}

function toPage({ total, counts, objects, tags }: ReplyOf<typeof listObjects>, offset: number): MappingPage {
  return { total, counts, offset, rows: tags.length > 0 ? tags : objects };
}

/** The address of the object in the 3D view, seen from the first node of the tour. */
function linkTo(
  object: MappedObject,
  opened: OpenedTour | undefined,
  tourAddress: string | undefined,
): string | undefined {
  const start = opened?.nodes.find((node) => node.uid === opened.tour.startNode) ?? opened?.nodes[0];
  if (!start || tourAddress === undefined) return undefined;
  const tag = object.mappedTag ? object.mappedTag.number : object.tag;
  return `${tourAddress}?${encodeViewState({ v: 1, module: 'model-3d.module', node: start.code, pos: start.position, ...start.view, fov: 75, ...(tag ? { sel: tag } : {}), layers: { object: `${object.model} ${object.key}` } })}`;
}
