import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { useLocation, useParams } from 'react-router-dom';
import { routes } from '#core';
import { LoadingState, makeStyles, mergeClasses, tokens } from '#core/ui';
import { ContributedComponent, Locations, RouteLink, Session, useContributions, useService, useText } from '#core/web';
import { findByCode, tourBackgrounds, tourModules, TourStore } from '#plugins/tour';
import { TourFailed } from '../components/frame/tour-failed.tsx';
import { TourFrame } from '../components/frame/tour-frame.tsx';
import { TourGates } from '../components/frame/tour-gates.tsx';
import { parseLink } from '../stores/parse-link.ts';

/** Loaded lazily because it is rarely rendered. */
const LinkChooser = lazy(() => import('../components/link-chooser.tsx'));

const useStyles = makeStyles({
  state: {
    height: '100%',
    overflowY: 'auto',
    display: 'grid',
    alignContent: 'center',
    justifyItems: 'center',
    backgroundColor: tokens.colorNeutralBackground2,
  },
  loading: { position: 'relative', isolation: 'isolate' },
  message: { borderRadius: tokens.borderRadiusXLarge, backgroundColor: tokens.colorNeutralBackground2 },
  exits: {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'center',
    columnGap: tokens.spacingHorizontalXL,
    '& > a': { display: 'inline-flex', alignItems: 'center', minHeight: '44px' },
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
  const backgrounds = useContributions(tourBackgrounds);
  const { loading, opened, category, selectedTag } = store;

  const moduleIds = modules.map(({ id }) => id);
  const { node, tag, module } = parseLink(search, moduleIds)?.link ?? {};
  /** The query with which the tour was opened. Later changes of the query do not reopen the tour. */
  const [openedQuery, setOpenedQuery] = useState(search);
  const open = (query: string): void => {
    setOpenedQuery(query);
    const { link, missingParts } = parseLink(query, moduleIds) ?? {};
    void store.open(location, link, missingParts);
  };
  const openLocation = useEffectEvent(() => open(search));
  useEffect(() => {
    void locations.load();
    openLocation();
    return () => store.reset();
  }, [store, locations, location]);

  // A link that names only a viewpoint or a tag opens a module with a picture.
  const pictureModules = modules.filter(({ viewType }) => viewType !== undefined);
  const isPictureLink = (node ?? tag) !== undefined && module === undefined && openedQuery === search;
  const candidateModules = isPictureLink && pictureModules.length > 0 ? pictureModules : modules;
  const activeModule =
    candidateModules.find(({ id }) => id === category) ??
    candidateModules.find(({ id }) => id === preferredId) ??
    candidateModules[0];
  useEffect(() => {
    if (loading.tour === 'success' && activeModule && activeModule.id !== category) store.chooseModule(activeModule.id);
  }, [store, activeModule, category, loading.tour]);

  // The node or tag of the URL may belong to another tour, because the locations of nodes can change.
  const [missingLinkKey, setMissingLinkKey] = useState<string>();
  const linkKey = JSON.stringify([location, node, tag]);
  const isInaccessible = store.failure?.reason === 'notFound' || store.failure?.reason === 'noAccess';
  // False for a later link to a node that a large tour has not loaded. The tour is then opened again near that node.
  const shouldContainLinkedNode = opened !== undefined && (opened.complete || openedQuery === search);
  const isNodeElsewhere =
    node !== undefined &&
    (opened ? shouldContainLinkedNode && findByCode(opened.nodes, node) === undefined : isInaccessible);
  const isTagElsewhere =
    tag !== undefined &&
    node === undefined &&
    openedQuery === search &&
    (opened ? selectedTag === undefined || selectedTag.details?.seenFrom.length === 0 : isInaccessible);
  const isElsewhere = linkKey !== missingLinkKey && (isNodeElsewhere || isTagElsewhere);
  const site = locations.find(location)?.root;

  const exits = (
    <div className={styles.exits}>
      {site === undefined ? null : (
        <RouteLink to={routes.location} params={{ location: site }}>
          {t('tour.back')}
        </RouteLink>
      )}
      <RouteLink to={routes.home}>{t('tour.backHome')}</RouteLink>
    </div>
  );
  if (isElsewhere) {
    return (
      <div className={styles.state}>
        <Suspense>
          <LinkChooser node={node} tag={tag} site={opened && site} query={search}>
            <ReportMissing onMissing={() => setMissingLinkKey(linkKey)} />
          </LinkChooser>
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
          onRetry={() => open(search)}
          exits={exits}
        />
      </div>
    );
  }
  const loadingState = (
    <div className={mergeClasses(styles.state, styles.loading)}>
      {backgrounds.map((background) => (
        <ContributedComponent
          key={background.id}
          contribution={background}
          load={background.load}
          props={{ location }}
        />
      ))}
      <div className={styles.message}>
        <LoadingState label={t('tour.loading')} />
      </div>
    </div>
  );
  return (
    <Suspense fallback={loadingState}>
      <TourGates key={location} location={location} className={styles.state}>
        {opened && activeModule && activeModule.id === category ? (
          <TourFrame
            key={location}
            location={location}
            modules={modules}
            activeModule={activeModule}
            openedQuery={openedQuery}
            onLink={open}
          />
        ) : (
          loadingState
        )}
      </TourGates>
    </Suspense>
  );
});
export default TourScreen;

/** Reports that `LinkChooser` found nothing. */
function ReportMissing({ onMissing }: { readonly onMissing: () => void }) {
  const report = useEffectEvent(onMissing);
  useEffect(() => report(), []);
  return null;
}
