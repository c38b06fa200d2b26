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

/** Rarely rendered. */
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
 * The tour of a location: loads it, reports errors, and renders the frame around the active module once all gates have
 * passed.
 */
const TourScreen = observer(function TourScreen() {
  const styles = useStyles();
  const t = useText();
  const { location = '' } = useParams();
  const { search } = useLocation();
  const store = useService(TourStore);
  const locations = useService(Locations);
  const preferred = useService(Session).me?.preferences.defaultTool;
  const modules = useContributions(tourModules);
  const { loading, opened, category } = store;

  // Reads the query without observing it: a change of only the query is a step within this tour.
  const node = new URLSearchParams(search).get('node') ?? undefined;
  const open = useEffectEvent((uid: string) => void store.open(uid, decodeViewState(search), node));
  useEffect(() => {
    void locations.load();
    open(location);
    return () => store.reset();
  }, [store, locations, location]);

  const chosen =
    modules.find((module) => module.id === category) ?? modules.find((module) => module.id === preferred) ?? modules[0];
  useEffect(() => {
    if (loading.tour === 'success' && chosen && chosen.id !== category) store.chooseModule(chosen.id);
  }, [store, chosen, category, loading.tour]);

  // The node of the address may belong to another tour after a change.
  const [missing, setMissing] = useState<string>();
  const isElsewhere =
    node !== undefined &&
    node !== missing &&
    (opened
      ? findByCode(opened.nodes, node) === undefined
      : store.failure?.reason === 'notFound' || store.failure?.reason === 'noAccess');
  const site = locations.find(location)?.root;

  const home = <RouteLink to={routes.home}>{t('tour.backHome')}</RouteLink>;
  if (isElsewhere) {
    return (
      <div className={styles.state}>
        <Suspense>
          <NodeChooser code={node} site={opened && site} query={search}>
            <Missing onShown={() => setMissing(node)} />
          </NodeChooser>
        </Suspense>
      </div>
    );
  }
  if (loading.tour === 'failure' || (opened && (opened.nodes.length === 0 || !chosen))) {
    return (
      <div className={styles.state}>
        <TourFailed
          reason={store.failure?.reason ?? (chosen ? 'empty' : 'noModule')}
          reference={store.failure?.reference}
          onRetry={() => void store.open(location, decodeViewState(search), node)}
          home={home}
        />
      </div>
    );
  }
  const waiting = (
    <div className={styles.state}>
      <LoadingState label={t('tour.loading')} />
    </div>
  );
  return (
    <Suspense fallback={waiting}>
      <TourGates key={location} location={location} className={styles.state}>
        {opened && chosen && chosen.id === category ? (
          <TourFrame key={location} location={location} modules={modules} chosen={chosen} />
        ) : (
          waiting
        )}
      </TourGates>
    </Suspense>
  );
});
export default TourScreen;

function Missing({ onShown }: { readonly onShown: () => void }) {
  const show = useEffectEvent(onShown);
  useEffect(() => show(), []);
  return null;
}

export { SeenFromSection };
