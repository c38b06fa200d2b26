import { useEffect, useRef, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { EmptyState, FailedState, LoadingState, makeStyles, PictureCard, PictureNotes, useDelayed } from '#core/ui';
import { HttpClient, usePluginSettings, useService, useText } from '#core/web';
import { PanoramaEngines, TourStore, Viewers, ViewSurfaces } from '#plugins/tour';
import type manifest from '../../plugin.ts';
import { CompareSlider } from './compare-slider.tsx';
import { MarkerStore } from '../markers/stores/marker-store.ts';
import { useMarkerStyles } from '../markers/components/use-marker-styles.ts';
import { PanoramaChoices } from '../stores/panorama-choices.ts';
import { PanoramaController } from '../viewer/panorama-controller.ts';
import { usePinStyles } from './use-pin-styles.ts';

const useStyles = makeStyles({
  root: { position: 'absolute', inset: 0, backgroundColor: '#000' },
  host: { position: 'absolute', inset: 0 },
  // Marks the centre of the picture, where the key Enter adds a corner.
  crosshair: {
    position: 'absolute',
    left: '50%',
    top: '50%',
    width: '24px',
    height: '24px',
    transform: 'translate(-50%, -50%)',
    pointerEvents: 'none',
    backgroundImage: 'linear-gradient(#ffd335, #ffd335), linear-gradient(#ffd335, #ffd335)',
    backgroundSize: '2px 100%, 100% 2px',
    backgroundPosition: 'center',
    backgroundRepeat: 'no-repeat',
    filter: 'drop-shadow(0 0 1px #000)',
  },
});

/** The panorama of the current node, with hotspots and pins of tags and lines. */
const PanoramaModule = observer(function PanoramaModule() {
  const styles = useStyles();
  const pinStyles = usePinStyles();
  const markerStyles = useMarkerStyles();
  const t = useText();
  const host = useRef<HTMLDivElement>(null);
  const { hoverNavigation } = usePluginSettings<typeof manifest>();
  const services = {
    engines: useService(PanoramaEngines),
    surfaces: useService(ViewSurfaces),
    store: useService(TourStore),
    viewers: useService(Viewers),
    http: useService(HttpClient),
    choices: useService(PanoramaChoices),
    markers: useService(MarkerStore),
    hoverNavigation,
  };
  const [controller] = useState(() => new PanoramaController(services));
  const label = t('vr.panorama');
  useEffect(() => controller.setPresentation(t, pinStyles, markerStyles), [controller, t, pinStyles, markerStyles]);
  useEffect(() => (host.current ? controller.start(host.current, label) : undefined), [controller, label]);
  const name = services.store.currentNode?.name ?? '';
  const { comparison } = controller.captures;
  const { status, contextLost, partsMissing, nodeOnScreen, unreachableNode } = controller.viewer;
  return (
    <div className={styles.root}>
      <div ref={host} className={styles.host} />
      {comparison && controller.shownNode ? (
        <CompareSlider
          captures={controller.captures}
          comparison={comparison}
          failed={controller.comparisonFailed}
          onRetry={() => controller.retryComparison()}
        />
      ) : null}
      {services.markers.draft?.isPlacing ? <div className={styles.crosshair} aria-hidden="true" /> : null}
      {status.state === 'loading' ? (
        <PictureCard>
          <DelayedLoading label={t('vr.loading', { name })} />
        </PictureCard>
      ) : null}
      {status.state === 'empty' ? (
        <PictureCard>
          <EmptyState title={t('vr.noPicture', { name })} message={t('vr.noPictureHint')} />
        </PictureCard>
      ) : null}
      {status.state === 'failed' ? (
        <PictureCard>
          {status.reason === 'noWebGl' ? (
            <FailedState title={t('vr.noWebGl')} message={t('vr.noWebGlHint')} />
          ) : (
            <FailedState title={t('vr.failed')} message={t('vr.failedAgain')} onRetry={() => controller.retry()} />
          )}
        </PictureCard>
      ) : null}
      <PictureNotes
        graphicsLost={contextLost}
        partsMissing={partsMissing ? t('vr.partsMissing') : undefined}
        onRetry={() => controller.retry()}
        note={
          unreachableNode && {
            message: t('vr.unreachable', { name: unreachableNode.name, shown: nodeOnScreen?.name ?? '' }),
            action: t('vr.tryAgain'),
            onAction: () => controller.viewer.goToUnreachableNode(),
            onClose: () => controller.viewer.dismissUnreachableNode(),
          }
        }
      />
    </div>
  );
});
export default PanoramaModule;

/** Longer than the walk to a node, so that only a slow connection shows the loading state. */
const loadingDelayMs = 1_500;

function DelayedLoading({ label }: { readonly label: string }) {
  return useDelayed(loadingDelayMs) ? <LoadingState label={label} /> : null;
}
