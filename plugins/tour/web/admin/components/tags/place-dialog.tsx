import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { distanceBetween, type LocationNode, type Point3 } from '#core';
import {
  Button,
  EmptyState,
  Field,
  Input,
  ListSkeleton,
  MessageBar,
  MessageBarBody,
  ResourceView,
  Select,
  Tab,
  TabList,
  useForm,
} from '#core/ui';
import { FormDialog, useAdminStyles, useConflict } from '#core/ui-data';
import { HttpClient, useContributions, useFormatFailure, useResource, useService, useText } from '#core/web';
import { tourModules, type SurfacePick } from '#plugins/tour';
import type { findSurface, openTour, TourNode } from '../../../../contract/api.ts';
import type { ContentTag } from '../../../../contract/api/tag-content.ts';
import type { ContentNode, getTourContent } from '../../../../contract/api/tour-content.ts';
import { coordinateRules } from '../../stores/field-rules.ts';
import { locateTag, type Bearing, type LocateTagResult } from '../../stores/locate-tag.ts';
import { useInitialSiteLengths } from '../../stores/site-lengths.ts';
import type { TagAndDocumentMutations } from '../../stores/tag-and-document-mutations.ts';
import { ConflictMessage } from '../conflict-message.tsx';
import { PickView } from './pick-view.tsx';
import { ViewsPreview } from './views-preview.tsx';

/** Loaded with the first scan or model. */
const PlaceInSite = lazy(async () => ({ default: (await import('../site-views.ts')).PlaceInSite }));

interface Values {
  east: number | undefined;
  north: number | undefined;
  up: number | undefined;
}
const axes = ['east', 'north', 'up'] as const;
const axisLabels = { east: 'tour.content.east', north: 'tour.content.north.axis', up: 'tour.content.up' } as const;

export interface PlaceDialogProps {
  readonly tag: ContentTag;
  readonly location: LocationNode;
  readonly mutations: TagAndDocumentMutations;
  readonly onClose: () => void;
}

const panoramaTab = 'panorama';

/**
 * Places a tag by a click in a panorama with depth, in a scan or in a model, by clicks in two panoramas without depth,
 * or by coordinates.
 */
export const PlaceDialog = observer(function PlaceDialog({ tag, location, mutations, onClose }: PlaceDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  const lengths = useInitialSiteLengths(location.uid);
  const formatFailure = useFormatFailure();
  const http = useService(HttpClient);
  const { theirs, attempt } = useConflict(tag);
  const [chosenUid, setChosenUid] = useState<string>();
  const [result, setResult] = useState<
    LocateTagResult | { readonly kind: 'site' } | { readonly kind: 'failed'; readonly cause: unknown }
  >();
  const [measuring, setMeasuring] = useState(false);
  const [sourceTab, setSourceTab] = useState(panoramaTab);
  const contributedModules = useContributions(tourModules);
  const modules = contributedModules.filter(({ viewType }) => viewType !== undefined && viewType !== 'PANO');
  const module = modules.find(({ id }) => id === sourceTab);
  const lastBearing = useRef<Bearing>(undefined);
  const toAxisMetres = (value: number, axis: number): number => lengths.toMetres(value, [tag.position?.[axis]]);
  const form = useForm<Values>({
    initial: {
      east: tag.position ? lengths.toField(tag.position[0]) : undefined,
      north: tag.position ? lengths.toField(tag.position[1]) : undefined,
      up: tag.position ? lengths.toField(tag.position[2]) : undefined,
    },
    rules: { east: coordinateRules, north: coordinateRules, up: coordinateRules },
    send: async ({ east: x = 0, north: y = 0, up: z = 0 }) =>
      save([toAxisMetres(x, 0), toAxisMetres(y, 1), toAxisMetres(z, 2)]),
  });
  const save = async (position: Point3 | null): Promise<void> => {
    if (await attempt((base) => mutations.placeTag(base, { position, version: base.version }))) onClose();
  };
  const content = useResource(
    (signal) =>
      http.call<typeof getTourContent>(
        'GET',
        '/api/tour-content/:location',
        { params: { location: location.uid } },
        { signal },
      ),
    [http, location.uid],
  );
  const nodes = useMemo(() => listViewpoints(content.value?.nodes ?? [], tag.position), [content.value, tag.position]);
  const chosenNode = nodes.find(({ uid }) => uid === chosenUid) ?? nodes[0];
  const { uid: currentUid, tour: currentTour } = chosenNode ?? {};
  // A viewpoint can belong to the tour of an ancestor, while its own location has another tour.
  const tourLocation = content.value?.tours.find(({ uid }) => uid === currentTour)?.location;
  const openedLocation =
    tourLocation !== undefined && isAtOrBelow(location, tourLocation) ? tourLocation : chosenNode?.location;
  const tourResource = useResource(
    (signal) =>
      currentUid === undefined || openedLocation === undefined
        ? undefined
        : http
            .call<typeof openTour>(
              'GET',
              '/api/tour/:location',
              { params: { location: openedLocation }, query: { first: 'true', near: currentUid } },
              { signal },
            )
            .then(({ tour, nodes: tourNodes }) => ({
              near: currentUid,
              tour,
              node: tourNodes.find(({ uid }) => uid === currentUid),
            })),
    [http, currentUid, openedLocation],
  );
  const setPoint = (point: Point3): void => {
    for (const [index, axis] of axes.entries()) form.state(axis).onChange(lengths.toField(round(point[index]!)));
  };
  const pickInSite = useRef<(point: Point3) => void>(undefined);
  useEffect(() => {
    pickInSite.current = (point) => {
      if (form.busy) return;
      setResult({ kind: 'site' });
      setPoint(point);
    };
  });
  const handleSitePick = useCallback(({ point }: SurfacePick) => pickInSite.current?.(point), []);
  const handlePick = async (node: TourNode, nodeLocation: string, pan: number, tilt: number): Promise<void> => {
    if (measuring || form.busy) return;
    setMeasuring(true);
    try {
      const { point } = await http.call<typeof findSurface>('GET', '/api/tour/:location/nodes/:node/surface', {
        params: { location: nodeLocation, node: node.uid },
        query: { pan, tilt },
      });
      const bearing = { node: node.uid, origin: node.position, pan, tilt };
      const locateResult = locateTag(point, bearing, lastBearing.current);
      // After a refused second click, the person can repeat it. The first click remains valid.
      if (locateResult.kind === 'second') lastBearing.current = bearing;
      setResult(locateResult);
      if ('point' in locateResult) setPoint(locateResult.point);
    } catch (cause) {
      setResult({ kind: 'failed', cause });
    } finally {
      setMeasuring(false);
    }
  };
  const [east, north, up] = axes.map((axis, index) => {
    const { value } = form.state(axis);
    return value && toAxisMetres(value, index);
  });
  const mark = useMemo(
    () =>
      [east, north, up].every((value) => value !== undefined && Number.isFinite(value))
        ? { point: [east, north, up] as unknown as Point3, label: tag.number }
        : undefined,
    [east, north, up, tag.number],
  );
  const differences =
    theirs &&
    axes.flatMap((axis, index) => {
      const currentValue = theirs.position?.[index];
      return (currentValue === undefined ? undefined : lengths.toField(currentValue)) === form.state(axis).value
        ? []
        : [
            [
              t(axisLabels[axis], { unit: lengths.symbol }),
              currentValue === undefined ? t('tour.tags.unplaced') : lengths.coordinate(currentValue),
            ] as const,
          ];
    });
  return (
    <FormDialog
      wide
      title={t('tour.tags.placeOne', { number: tag.number })}
      action={t(theirs ? 'tour.content.saveMine' : 'tour.content.save')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <ConflictMessage differences={differences} />
      <ResourceView resource={content} waiting={<ListSkeleton />}>
        {() =>
          chosenNode ? (
            <>
              <Field label={t('tour.tags.viewpoint')} className={styles.narrowField}>
                <Select value={chosenNode.uid} disabled={form.busy} onChange={(_, { value }) => setChosenUid(value)}>
                  {nodes.map(({ uid, code, name }) => (
                    <option key={uid} value={uid}>
                      {t('tour.content.codeAndName', { code, name })}
                    </option>
                  ))}
                </Select>
              </Field>
              {modules.length === 0 ? null : (
                <TabList
                  size="small"
                  aria-label={t('tour.tags.pickWhere')}
                  selectedValue={module?.id ?? panoramaTab}
                  onTabSelect={(_, { value }) => setSourceTab(String(value))}
                >
                  <Tab value={panoramaTab}>{t('tour.tags.panorama')}</Tab>
                  {modules.map(({ id, title }) => (
                    <Tab key={id} value={id}>
                      {t(title)}
                    </Tab>
                  ))}
                </TabList>
              )}
              <ResourceView resource={tourResource} waiting={<ListSkeleton />}>
                {({ near: loadedUid, tour, node }) => {
                  if (module)
                    return (
                      <Suspense fallback={<ListSkeleton />}>
                        <PlaceInSite
                          module={module}
                          location={tour.location}
                          node={chosenNode.code}
                          mark={mark}
                          onPick={handleSitePick}
                        />
                      </Suspense>
                    );
                  if (loadedUid !== chosenNode.uid) return <ListSkeleton />;
                  return node?.picture ? (
                    <PickView
                      node={node}
                      label={t('tour.tags.pickIn', { name: node.name })}
                      mark={mark}
                      busy={measuring || form.busy}
                      onPick={(pan, tilt) => void handlePick(node, tour.location, pan, tilt)}
                    />
                  ) : (
                    <MessageBar intent="error" layout="multiline">
                      <MessageBarBody>{t('tour.tags.pictureFailed')}</MessageBarBody>
                    </MessageBar>
                  );
                }}
              </ResourceView>
            </>
          ) : (
            <EmptyState title={t('tour.tags.noViewpoints')} message={t('tour.tags.noViewpointsHint')} />
          )
        }
      </ResourceView>
      <div role="status">
        {result ? (
          <MessageBar
            intent={result.kind === 'refused' || result.kind === 'failed' ? 'warning' : 'info'}
            layout="multiline"
          >
            <MessageBarBody>
              {result.kind === 'failed' ? formatFailure(result.cause) : null}
              {result.kind === 'refused' ? t(`tour.tags.placing.${result.problem}`) : null}
              {result.kind === 'second' ? t('tour.tags.placing.second') : null}
              {result.kind === 'depth' ? t('tour.tags.placing.depth') : null}
              {result.kind === 'site' ? t('tour.tags.placing.site') : null}
              {result.kind === 'bearings' ? t('tour.tags.placing.bearings', { gap: lengths.length(result.gap) }) : null}
            </MessageBarBody>
          </MessageBar>
        ) : null}
      </div>
      <div className={styles.three}>
        {axes.map((axis) => (
          <Field
            key={axis}
            className={styles.narrowField}
            label={t(axisLabels[axis], { unit: lengths.symbol })}
            required
            {...form.field(axis)}
          >
            <Input inputMode="decimal" autoComplete="off" {...form.number(axis)} />
          </Field>
        ))}
      </div>
      {mark ? <ViewsPreview tag={tag.uid} location={location.uid} point={mark.point} /> : null}
      {tag.position ? (
        <div>
          <Button
            disabled={form.busy}
            onClick={() => void save(null).catch((cause: unknown) => setResult({ kind: 'failed', cause }))}
          >
            {t('tour.tags.unplace')}
          </Button>
        </div>
      ) : null}
    </FormDialog>
  );
});

const isAtOrBelow = (location: LocationNode, uid: string): boolean =>
  location.uid === uid || location.children.some((child) => isAtOrBelow(child, uid));

/** Rounds to millimetres. No pick is more accurate. */
const round = (metres: number): number => Math.round(metres * 1000) / 1000;

/** Lists viewpoints with a panorama, nearest to the tag first, or by code if the tag has no position. */
function listViewpoints(nodes: readonly ContentNode[], position: ContentTag['position']): readonly ContentNode[] {
  const withPanorama = nodes.filter(({ hasPanorama }) => hasPanorama);
  return position
    ? withPanorama.toSorted((a, b) => distanceBetween(a.position, position) - distanceBetween(b.position, position))
    : withPanorama.toSorted((a, b) => a.code.localeCompare(b.code, 'en', { numeric: true }));
}
