import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { useLocation, useParams } from 'react-router-dom';
import { decodeViewState, routes } from '#core';
import { LoadingState, makeStyles, tokens } from '#core/ui';
import { Locations, RouteLink, Session, useContributions, useService, useText } from '#core/web';
import { findByCode, tourModules, TourStore } from '#plugins/tour';
import { TourFailed } from '../components/frame/tour-failed.tsx';
import { TourFrame } from '../components/frame/tour-frame.tsx';
import { TourGates } from '../components/frame/tour-gates.tsx';
import { SeenFromSection } from '../components/panel/seen-from-section.tsx';

/** Loaded lazily because it is rarely rendered. */
const NodeChooser = lazy(() => import('../components/node-chooser.tsx'));

const useStyles = makeStyles({
  state: {
    height: '100%',
    overflowY: 'auto',
    display: 'grid',
    alignContent: 'center',
    justifyItems: 'center',
    backgroundColor: tokens.colorNeutralBackground2,
  },
});

/**
 * Loads the tour of a location and reports errors. Renders the frame around the active module after the person has
 * passed all gates.
 */
const TourScreen = observer(function TourScreen() {
  const styles = useStyles();
  const t = useText();
  const { location = '' } = useParams();
  const { search } = useLocation();
  const store = useService(TourStore);
  const locations = useService(Locations);
  const preferredId = useService(Session).me?.preferences.defaultTool;
  const modules = useContributions(tourModules);
  const { loading, opened, category } = store;

  // The effect event reads the query without observing it, because a change of the query stays within this tour.
  const node = new URLSearchParams(search).get('node') ?? undefined;
  const open = useEffectEvent((uid: string) => void store.open(uid, decodeViewState(search), node));
  useEffect(() => {
    void locations.load();
    open(location);
    return () => store.reset();
  }, [store, locations, location]);

  const activeModule =
    modules.find((module) => module.id === category) ??
    modules.find((module) => module.id === preferredId) ??
    modules[0];
  useEffect(() => {
    if (loading.tour === 'success' && activeModule && activeModule.id !== category) store.chooseModule(activeModule.id);
  }, [store, activeModule, category, loading.tour]);

  // The node of the address may belong to another tour, because locations of nodes can change.
  const [missingNode, setMissingNode] = useState<string>();
  const isInaccessible = store.failure?.reason === 'notFound' || store.failure?.reason === 'noAccess';
  const isElsewhere =
    node !== undefined &&
    node !== missingNode &&
    (opened ? findByCode(opened.nodes, node) === undefined : isInaccessible);
  const site = locations.find(location)?.root;

  const home = <RouteLink to={routes.home}>{t('tour.backHome')}</RouteLink>;
  if (isElsewhere) {
    return (
      <div className={styles.state}>
        <Suspense>
          <NodeChooser code={node} site={opened && site} query={search}>
            <ReportMissing onMissing={() => setMissingNode(node)} />
          </NodeChooser>
        </Suspense>
      </div>
    );
  }
  if (loading.tour === 'failure' || (opened && (opened.nodes.length === 0 || !activeModule))) {
    return (
      <div className={styles.state}>
        <TourFailed
          reason={store.failure?.reason ?? (activeModule ? 'empty' : 'noModule')}
          reference={store.failure?.reference}
          onRetry={() => void store.open(location, decodeViewState(search), node)}
          home={home}
        />
      </div>
    );
  }
  const loadingState = (
    <div className={styles.state}>
      <LoadingState label={t('tour.loading')} />
    </div>
  );
  return (
    <Suspense fallback={loadingState}>
      <TourGates key={location} location={location} className={styles.state}>
        {opened && activeModule && activeModule.id === category ? (
          <TourFrame key={location} location={location} modules={modules} activeModule={activeModule} />
        ) : (
          loadingState
        )}
      </TourGates>
    </Suspense>
  );
});
export default TourScreen;

/** Reports that `NodeChooser` found no node. */
function ReportMissing({ onMissing }: { readonly onMissing: () => void }) {
  const report = useEffectEvent(onMissing);
  useEffect(() => report(), []);
  return null;
}

export { SeenFromSection };
