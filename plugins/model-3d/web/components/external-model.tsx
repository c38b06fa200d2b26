import { useEffect, useRef, useState } from 'react';
import { reaction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { EmptyState, FailedState, LoadingState, makeStyles, PictureCard, tokens } from '#core/ui';
import { Appearance, HttpClient, I18n, useService, useText } from '#core/web';
import { TourStore, Viewers, ViewSurfaces, type CameraView, type ViewerStatus } from '#plugins/tour';
import type { getViewerToken } from '../../contract/api.ts';
import { modelModule } from '../../contract/index.ts';
import { ExternalFailure, type ExternalReason } from '../viewer/external/external-failure.ts';
import { ExternalViewer, type ExternalSettings } from '../viewer/external/external-viewer.ts';

const useStyles = makeStyles({
  root: { position: 'absolute', inset: 0, backgroundColor: tokens.colorNeutralBackground4 },
  host: {
    position: 'absolute',
    inset: 0,
    outlineOffset: '-3px',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
});

const failureMessages = {
  script: 'model-3d.external.script',
  slow: 'model-3d.external.slow',
  token: 'model-3d.external.token',
  denied: 'model-3d.external.denied',
  notFound: 'model-3d.external.notFound',
  noWebGl: 'model-3d.noWebGlHint',
  noView: 'model-3d.external.noView',
  noModel: 'model-3d.noModelHint',
  failed: 'model-3d.external.failed',
} as const satisfies Readonly<Record<ExternalReason, string>>;

/** Degrees per press at a field of view of 75 degrees. A narrower field of view turns less. */
const turnStep = 2;
/** Degrees. Straight up and down, the external viewer has no direction. */
const maxTilt = 85;
const turnDirections: Readonly<Record<string, { readonly pan: number; readonly tilt: number }>> = {
  ArrowLeft: { pan: -1, tilt: 0 },
  ArrowRight: { pan: 1, tilt: 0 },
  ArrowUp: { pan: 0, tilt: 1 },
  ArrowDown: { pan: 0, tilt: -1 },
};

export interface ExternalModelProps {
  readonly settings: ExternalSettings & { readonly urns: Readonly<Record<string, string>> };
}

/** The tour's model in the external viewer. It follows the tour's view and reports its own, as the built-in engine does. */
export const ExternalModel = observer(function ExternalModel({ settings }: ExternalModelProps) {
  const styles = useStyles();
  const t = useText();
  const host = useRef<HTMLDivElement>(null);
  const http = useService(HttpClient);
  const { language } = useService(I18n);
  const appearance = useService(Appearance);
  const store = useService(TourStore);
  const surfaces = useService(ViewSurfaces);
  const viewers = useService(Viewers);
  const [viewer] = useState(() => viewers.create<ExternalReason>({ module: modelModule }));
  /** Error code of the external service. */
  const [errorCode, setErrorCode] = useState<number>();
  const [attempt, setAttempt] = useState(0);
  const location = store.opened?.tour.location ?? '';
  const urn = findUrn(
    settings.urns,
    location,
    store.locationList.map((row) => row.uid),
  );

  useEffect(() => {
    const element = host.current;
    if (!element || urn === undefined) return undefined;
    const abortController = new AbortController();
    const disposers: (() => void)[] = [];
    const fail = (error: unknown): void => {
      if (abortController.signal.aborted) return;
      const failure = error instanceof ExternalFailure ? error : undefined;
      setErrorCode(failure?.code);
      viewer.setStatus({ state: 'failed', reason: failure?.reason ?? 'failed' });
    };
    const listeners = new Set<() => void>();
    const options = {
      settings,
      urn,
      language,
      dark: appearance.dark,
      requestToken: () =>
        http.call<typeof getViewerToken>(
          'GET',
          '/api/model-3d/:location/viewer-token',
          { params: { location } },
          { signal: abortController.signal },
        ),
      onFailed: fail,
      onViewChanged: (view: CameraView) => {
        viewer.report(view);
        for (const listener of listeners) listener();
      },
      onTagSelected: (tag: string | undefined) => {
        if (tag !== store.selectedTag?.number) void store.selectTag(tag);
      },
    };
    const connect = (external: ExternalViewer): void => {
      viewer.setStatus({ state: 'ready' });
      const setView = (view: Partial<CameraView>): void => {
        external.setView({ ...external.currentView, ...view });
        for (const listener of listeners) listener();
      };
      const turnByKey = (event: KeyboardEvent): void => {
        const direction = turnDirections[event.key];
        // Keys in the external viewer's own fields, and with modifiers, have other meanings.
        if (!direction || event.target !== element || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        // The external viewer listens to keys of the whole window.
        event.stopPropagation();
        const { pan, tilt, fov } = external.currentView;
        const step = (turnStep * fov) / 75;
        setView({
          pan: pan + direction.pan * step,
          tilt: Math.max(-maxTilt, Math.min(maxTilt, tilt + direction.tilt * step)),
        });
        viewer.report(external.currentView);
      };
      element.addEventListener('keydown', turnByKey);
      const resizeObserver = new ResizeObserver(() => external.resize());
      resizeObserver.observe(element);
      disposers.push(
        () => resizeObserver.disconnect(),
        () => element.removeEventListener('keydown', turnByKey),
        viewer.follow({
          setView,
          // The external viewer cannot ease a turn, so its end is reported at once.
          turnTo: (view) => {
            setView(view);
            viewer.report(external.currentView);
          },
        }),
        reaction(
          () => store.selectedTag?.number,
          (tag) => external.selectTag(tag),
        ),
        surfaces.register({
          module: modelModule,
          host: element,
          pick: (x, y) => Promise.resolve(external.pick(x, y)),
          findSurfacePoints: () => Promise.resolve(new Float64Array()),
          toPixel: (point) => external.toPixel(point),
          sees: (point) => external.isVisible(point),
          onChanged: (listener) => {
            listeners.add(listener);
            return () => void listeners.delete(listener);
          },
          takePicture: () => external.takePicture(),
        }),
      );
    };
    viewer.setStatus({ state: 'loading' });
    // The viewer gets a container of its own, so that its removal keeps the overlays of other plugins in the host.
    const container = document.createElement('div');
    Object.assign(container.style, { position: 'absolute', inset: '0' });
    element.prepend(container);
    ExternalViewer.open(container, options, abortController.signal).then(
      (external) => !abortController.signal.aborted && connect(external),
      fail,
    );
    return () => {
      abortController.abort();
      for (const dispose of disposers.toReversed()) dispose();
      container.remove();
    };
  }, [urn, attempt, settings, language, location, appearance, http, store, viewer, surfaces]);

  const failure = toExternalReason(viewer.status);
  return (
    <div className={styles.root}>
      {/* Tools set points by keyboard while the host has the focus. */}
      <div
        ref={host}
        className={styles.host}
        role="application"
        aria-label={t('model-3d.external.model')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- an application has its own keys
        tabIndex={0}
      />
      {urn === undefined ? (
        <PictureCard>
          <EmptyState title={t('model-3d.noModel')} message={t('model-3d.noModelHint')} />
        </PictureCard>
      ) : failure !== undefined ? (
        <PictureCard>
          <FailedState
            title={t('model-3d.external.title')}
            message={t(failureMessages[failure], { code: errorCode ?? 0 })}
            onRetry={() => setAttempt(attempt + 1)}
          />
        </PictureCard>
      ) : viewer.status.state === 'ready' ? null : (
        <PictureCard>
          <LoadingState label={t('model-3d.starting')} />
        </PictureCard>
      )}
    </div>
  );
});

/** The external viewer's own reason of a failure. It never sets the general reasons `offline` and `noAccess`. */
function toExternalReason(status: ViewerStatus<ExternalReason>): ExternalReason | undefined {
  if (status.state !== 'failed') return undefined;
  return status.reason === 'offline' || status.reason === 'noAccess' ? 'failed' : status.reason;
}

/** Finds the model of the location itself or of the first location below that has one. */
function findUrn(
  urns: Readonly<Record<string, string>>,
  location: string,
  locationsBelow: readonly string[],
): string | undefined {
  return urns[location] ?? locationsBelow.map((uid) => urns[uid]).find((urn) => urn !== undefined);
}
