import {
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { observer } from 'mobx-react-lite';
import { useLocation } from 'react-router-dom';
import { CoverContext, makeStyles, mergeClasses, useCover, type CoverEdge } from '#core/ui';
import { BrowserStorage, ContributedComponent, Navigation, useContributions, useService, useText } from '#core/web';
import { tourOverlays, tourPanels, TourStore, TourTools, type TourModule } from '#plugins/tour';
import { SurfaceOverlays } from '../overlays/surface-overlays.tsx';
import { TourPanel } from '../panel/tour-panel.tsx';
import { FrameLayout } from '../../stores/dom-tour-layout.ts';
import { UrlSync } from '../../stores/url-sync.ts';
import { CompassAndZoom } from './compass-and-zoom.tsx';
import { ShowToolsButton } from './show-tools-button.tsx';
import { MiniMap } from './mini-map.tsx';
import { MissingPartsNotice } from './missing-parts-notice.tsx';
import { SecondaryModuleRail, ModuleRail } from './module-rail.tsx';
import { OfflineNote } from './offline-note.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { SplitPanes } from './split-panes.tsx';
import { ToolBar } from './tool-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { low, lowQuery, narrow, narrowQuery, phone, phoneQuery } from './use-glass.ts';
import { useIdle } from './use-idle.ts';
import { useCoveredAreas } from './use-covered-areas.ts';
import { useAllNodes } from './use-all-nodes.ts';
import { useFirstPictureShown } from './use-first-picture-shown.ts';
import { useMediaQuery } from './use-media-query.ts';
import { useShortcuts } from './use-shortcuts.ts';

const useStyles = makeStyles({
  root: {
    position: 'relative',
    width: '100%',
    height: '100%',
    // Unlike `hidden`, `clip` keeps the browser from scrolling the picture when a control at its edge gets the focus.
    overflow: 'clip',
    backgroundColor: '#000',
    display: 'flex',
  },
  pane: { position: 'relative', flexGrow: 1, minWidth: 0, isolation: 'isolate' },
  chrome: {
    position: 'absolute',
    inset: 0,
    pointerEvents: 'none',
    transitionProperty: 'opacity',
    transitionDuration: '200ms',
    '& > *': { pointerEvents: 'auto' },
  },
  faded: { opacity: 0 },
  hidden: { display: 'none' },
  heading: {
    position: 'absolute',
    width: '1px',
    height: '1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  },
  bottomLeft: {
    position: 'absolute',
    left: '8px',
    bottom: '8px',
    [phone]: { bottom: 'max(124px, var(--viewer-bottom))' },
    [low]: { left: '72px' },
  },
  bottomRight: {
    position: 'absolute',
    right: '8px',
    bottom: '8px',
    [phone]: { bottom: 'max(124px, var(--viewer-bottom))' },
  },
  mapBesidePanel: { [narrow]: { display: 'none' } },
  hasPanel: { right: '376px', [phone]: { display: 'none' } },
});

export interface TourFrameProps {
  /** uid of the location in the URL. */
  readonly location: string;
  readonly modules: readonly TourModule[];
  readonly activeModule: TourModule;
  /** The query of the URL with which the tour was opened. */
  readonly openedQuery: string;
  /** Opens a link to this tour. */
  readonly onLink: (query: string) => void;
}

/** The frame around the picture. It fades without input and returns on any input. `H` hides and shows it. */
export const TourFrame = observer(function TourFrame({
  location,
  modules,
  activeModule,
  openedQuery,
  onLink,
}: TourFrameProps) {
  const styles = useStyles();
  const t = useText();
  const store = useService(TourStore);
  const tools = useService(TourTools);
  const layout = useService(FrameLayout);
  const chrome = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const onPhone = useMediaQuery(phoneQuery);
  const isNarrow = useMediaQuery(narrowQuery);
  const [fraction, setFraction] = useState(0.5);
  const isLow = useMediaQuery(lowQuery);
  const [mapVisible, setMapVisible] = useState(!onPhone && !isLow);
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  const idle = useIdle(chrome);
  const pictureShown = useFirstPictureShown(activeModule);
  const flush = useUrlSync(location, modules, openedQuery, onLink);
  useAllNodes(pictureShown);
  useModuleLoading(activeModule);

  const setPanel = useCallback((panel: string | undefined) => store.setPanel(panel), [store]);
  useShortcuts({
    toggleTools: () => store.setToolbarHidden(!store.toolbarHidden),
    search: () => {
      store.setToolbarHidden(false);
      setPanel('search');
      requestAnimationFrame(() => searchField.current?.focus());
    },
    close: () => setPanel(undefined),
    openList: () => setShortcutsOpen(true),
  });

  const { toolbarHidden, currentNode, deck } = store;
  const secondary = modules.find((module) => module.id === store.secondaryModule && module !== activeModule);
  const panelOpen = store.panel !== undefined;
  const faded = idle && !panelOpen;
  useCoveredAreas(!faded && !toolbarHidden);
  // A render may move elements without resizing them. Resize observers do not report this.
  useLayoutEffect(() => layout.scheduleMeasure());
  const visibleModules = secondary ? [activeModule, secondary] : [activeModule];
  // Each component suspends separately, so that a slow one does not hide the others.
  return (
    <CoverContext value={layout.cover}>
      <div ref={layout.addRegion} className={styles.root}>
        <h1 className={styles.heading}>
          {t('tour.heading', { tour: store.opened?.tour.name ?? '', place: currentNode?.name ?? '' })}
        </h1>
        <div className={styles.pane}>
          <SplitPanes
            activeModule={activeModule}
            secondaryModule={secondary}
            fraction={fraction}
            onFractionChange={setFraction}
          />
        </div>
        <div
          ref={chrome}
          className={mergeClasses(styles.chrome, faded && styles.faded, toolbarHidden && styles.hidden)}
          data-idle={faded}
        >
          <Suspense>
            <TopBar
              location={location}
              searchField={searchField}
              panel={store.panel}
              onPanel={setPanel}
              flush={flush}
              onShortcuts={() => setShortcutsOpen(true)}
            />
          </Suspense>
          <Suspense>
            <ModuleRail modules={modules} activeModule={activeModule} secondary={secondary} />
          </Suspense>
          {/* On a phone, the visible map replaces the rail of the secondary module. */}
          {secondary && !(onPhone && mapVisible) ? (
            <Suspense>
              <SecondaryModuleRail modules={modules} secondary={secondary} fraction={fraction} />
            </Suspense>
          ) : null}
          <Suspense>
            <ToolBar
              modules={visibleModules}
              hasPanel={panelOpen}
              map={{
                available: deck !== undefined && !(panelOpen && isNarrow),
                visible: mapVisible,
                toggle: () => setMapVisible(!mapVisible),
              }}
            />
          </Suspense>
          {deck && mapVisible ? (
            <FrameCorner
              edge="leftCorner"
              className={mergeClasses(styles.bottomLeft, panelOpen && styles.mapBesidePanel)}
            >
              <MiniMap deck={deck} withImage={pictureShown} />
            </FrameCorner>
          ) : null}
          {visibleModules.some(({ viewType }) => viewType !== undefined) ? (
            <FrameCorner edge="rightCorner" className={mergeClasses(styles.bottomRight, panelOpen && styles.hasPanel)}>
              <CompassAndZoom />
            </FrameCorner>
          ) : null}
          <Suspense>
            <TopPanel />
          </Suspense>
          <Suspense>
            <Overlays modules={visibleModules} persistent={false} />
          </Suspense>
        </div>
        <Suspense>
          <SurfaceOverlays />
        </Suspense>
        {toolbarHidden ? null : <OfflineNote hasPanel={panelOpen} />}
        {toolbarHidden ? <ShowToolsButton onShow={() => store.setToolbarHidden(false)} /> : null}
        <Suspense>
          <Overlays modules={visibleModules} persistent />
        </Suspense>
        {shortcutsOpen ? <ShortcutsDialog onClose={() => setShortcutsOpen(false)} /> : null}
        <MissingPartsNotice />
        <ViewingModeSync module={activeModule} tools={tools} />
      </div>
    </CoverContext>
  );
});

function FrameCorner({
  edge,
  className,
  children,
}: {
  readonly edge: CoverEdge;
  readonly className: string;
  readonly children: ReactNode;
}) {
  return (
    <div ref={useCover(edge)} className={className}>
      <Suspense>{children}</Suspense>
    </div>
  );
}

const TopPanel = observer(function TopPanel() {
  const { panel } = useService(TourStore);
  const contribution = useContributions(tourPanels).find(({ id }) => id === panel);
  return contribution ? (
    <ContributedComponent contribution={contribution} load={contribution.load} props={{}} />
  ) : (
    <TourPanel />
  );
});

const Overlays = observer(function Overlays({
  modules,
  persistent,
}: {
  readonly modules: readonly TourModule[];
  readonly persistent: boolean;
}) {
  return useContributions(tourOverlays)
    .filter((overlay) => (overlay.persistent ?? false) === persistent)
    .filter((overlay) => overlay.modules === undefined || modules.some(({ id }) => overlay.modules?.includes(id)))
    .map((overlay) => <ContributedComponent key={overlay.id} contribution={overlay} load={overlay.load} props={{}} />);
});

/** Sets the viewing mode of the active module. */
function ViewingModeSync({ module, tools }: { readonly module: TourModule; readonly tools: TourTools }) {
  useEffect(() => {
    if (module.viewType !== undefined) tools.setMode(module.viewType);
  }, [module, tools]);
  return null;
}

/** Binds the view to the URL. Returns a function that writes pending changes to the URL. */
function useUrlSync(
  location: string,
  modules: readonly TourModule[],
  openedQuery: string,
  onLink: (query: string) => void,
): () => void {
  const store = useService(TourStore);
  const tools = useService(TourTools);
  const navigation = useService(Navigation);
  const storage = useService(BrowserStorage);
  const { search } = useLocation();
  const openLink = useEffectEvent(onLink);
  const [sync] = useState(
    () =>
      new UrlSync({ store, tools, navigation, storage, modules: modules.map(({ id }) => id) }, location, openedQuery),
  );
  // Handles the query before `start` writes the view. Otherwise a link that arrived earlier would be overwritten.
  useEffect(() => sync.handleQuery(search, openLink), [sync, search]);
  useEffect(() => sync.start(), [sync]);
  return sync.flush;
}

/** Reports the load state of the active module to the store. */
function useModuleLoading(module: TourModule): void {
  const store = useService(TourStore);
  useEffect(() => {
    let isCurrent = true;
    store.setLoading('modules', 'loading');
    module.load().then(
      () => isCurrent && store.setLoading('modules', 'success'),
      () => isCurrent && store.setLoading('modules', 'failure'),
    );
    return () => {
      isCurrent = false;
    };
  }, [store, module]);
}
