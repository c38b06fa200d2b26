import { useEffect, useRef, useState, type ComponentProps } from 'react';
import { observer } from 'mobx-react-lite';
import {
  EmptyState,
  FailedState,
  makeStyles,
  PictureCard,
  PictureNotes,
  ProgressBar,
  tokens,
  useDelayed,
} from '#core/ui';
import { Appearance, useService, useText } from '#core/web';
import { TourLayout, TourStore, Viewers, ViewSurfaces } from '#plugins/tour';
import type { TilesState } from '../viewer/model-content.ts';
import { ModelViewStore } from '../stores/model-view-store.ts';
import { ModelCache } from '../viewer/model-cache.ts';
import { ModelController, type ModelServices } from '../viewer/model-controller.ts';
import { ObjectPanel } from './object-panel.tsx';
import { SectionPanel } from './section-panel.tsx';

const useStyles = makeStyles({
  root: { position: 'absolute', inset: 0, backgroundColor: tokens.colorNeutralBackground4 },
  host: {
    position: 'absolute',
    inset: 0,
    outlineOffset: '-3px',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  line: { position: 'absolute', top: 0, left: 0, right: 0 },
  loading: {
    display: 'grid',
    gap: '12px',
    padding: '20px 24px',
    width: 'min(328px, calc(var(--viewer-free-width, 100%) - 16px))',
  },
});

/** The tour's models in the built-in engine. */
export function BuiltInModel() {
  const services = {
    cache: useService(ModelCache),
    modelView: useService(ModelViewStore),
    store: useService(TourStore),
    viewers: useService(Viewers),
    surfaces: useService(ViewSurfaces),
    layout: useService(TourLayout),
    appearance: useService(Appearance),
  };
  return <ModelViewer services={services} />;
}

const ModelViewer = observer(function ModelViewer({ services }: { readonly services: ModelServices }) {
  const styles = useStyles();
  const t = useText();
  const host = useRef<HTMLDivElement>(null);
  const { modelView } = services;
  const [controller] = useState(() => new ModelController(services));
  const { status, contextLost } = controller.viewer;
  const isReady = status.state === 'ready';
  const label = t('model-3d.model');
  useEffect(() => (host.current ? controller.start(host.current, label) : undefined), [controller, label]);
  return (
    <div className={styles.root}>
      <div ref={host} className={styles.host} />
      {status.state === 'loading' ? <Loading progress={controller.progress} /> : null}
      {status.state === 'failed' ? (
        <PictureCard>
          <FailedModel reason={status.reason} onRetry={() => controller.viewer.retry()} />
        </PictureCard>
      ) : null}
      {status.state === 'empty' ? (
        <PictureCard>
          <EmptyState title={t('model-3d.noModel')} message={t('model-3d.noModelHint')} />
        </PictureCard>
      ) : null}
      {isReady && modelView.treeOpen ? <ObjectPanel /> : null}
      {isReady && modelView.sectionOpen ? <SectionPanel /> : null}
      {isReady && controller.tiles ? <TileProgress tiles={controller.tiles} /> : null}
      <PictureNotes graphicsLost={contextLost} {...toNotes(controller, t)} />
    </div>
  );
});

function FailedModel({ reason, onRetry }: { readonly reason: string; readonly onRetry: () => void }) {
  const t = useText();
  if (reason === 'noWebGl') return <FailedState title={t('model-3d.noWebGl')} message={t('model-3d.noWebGlHint')} />;
  return reason === 'damaged' ? (
    <FailedState title={t('model-3d.damaged')} message={t('model-3d.damagedHint')} onRetry={onRetry} />
  ) : (
    <FailedState title={t('model-3d.failed')} message={t('model-3d.failedHint')} onRetry={onRetry} />
  );
}

/** Warns if visible parts of a tiled model are missing. */
function toNotes(
  controller: ModelController,
  t: ReturnType<typeof useText>,
): Partial<ComponentProps<typeof PictureNotes>> {
  const { viewer, tiles } = controller;
  if (viewer.status.state !== 'ready' || !tiles) return {};
  if (tiles.failedCount > 0)
    return {
      partsMissing: t('model-3d.tilesFailed', { count: tiles.failedCount }),
      onRetry: () => void controller.retryTiles(),
    };
  if (tiles.isMemoryFull) return { partsMissing: t('model-3d.tilesFull') };
  return tiles.isDetailReduced ? { partsMissing: t('model-3d.tilesThinned') } : {};
}

/** Shows in the centre that tiles are loading, and as a line at the edge once some tiles are visible. */
function TileProgress({ tiles: { loading, shownCount } }: { readonly tiles: TilesState }) {
  const styles = useStyles();
  const t = useText();
  if (!loading) return null;
  return shownCount === 0 ? (
    <Loading progress={undefined} />
  ) : (
    <ProgressBar className={styles.line} aria-label={t('model-3d.moreComing')} />
  );
}

const indicatorDelayMs = 300;

function Loading({ progress }: { readonly progress: number | undefined }) {
  const styles = useStyles();
  const t = useText();
  const percent = Math.round((progress ?? 0) * 100);
  const isBuilding = percent >= 100;
  if (!useDelayed(indicatorDelayMs)) return null;
  return (
    <PictureCard className={styles.loading} role="status">
      <span>
        {progress === undefined && t('model-3d.starting')}
        {progress !== undefined && (isBuilding ? t('model-3d.building') : t('model-3d.loading', { percent }))}
      </span>
      <ProgressBar
        aria-label={t('model-3d.progress')}
        {...(progress === undefined || isBuilding ? {} : { value: progress })}
      />
    </PictureCard>
  );
}
