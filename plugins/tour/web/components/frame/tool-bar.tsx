import { Suspense, useEffect, useEffectEvent, useState, useSyncExternalStore, type ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { makeStyles, mergeClasses, tokens, ToolButton, useCover } from '#core/ui';
import { ContributedComponent, useContributions, useService, useText } from '#core/web';
import { tourTools, TourStore, ViewSurfaces, type TourModule, type TourTool } from '#plugins/tour';
import { FullscreenIcon, HideIcon, LeaveFullscreenIcon, MapIcon } from '../icons.tsx';
import { FrameToolMenu, MoreTools, type FrameTool } from './more-tools.tsx';
import { PictureTool } from './picture-tool.tsx';
import { narrow, phone, phoneQuery, useGlass } from './use-glass.ts';
import { useMediaQuery } from './use-media-query.ts';

const useStyles = makeStyles({
  bar: {
    position: 'absolute',
    left: '50%',
    bottom: '8px',
    transform: 'translateX(-50%)',
    display: 'flex',
    alignItems: 'center',
    boxSizing: 'border-box',
    width: 'max-content',
    minHeight: '48px',
    padding: '2px 4px',
    gap: '2px',
    maxWidth: 'calc(100% - 16px)',
    [phone]: { bottom: '68px' },
  },
  // Tools that do not fit are in a second row.
  tools: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '2px',
    minWidth: 0,
    '& > *': { flexShrink: 0 },
  },
  divider: {
    width: '1px',
    height: '24px',
    flexShrink: 0,
    marginInline: '4px',
    backgroundColor: tokens.colorNeutralStroke2,
  },
  // On a phone, two even rows, or one row if both groups fit.
  groups: { flexGrow: 1, '& > *': { flexShrink: 1 } },
  group: {
    display: 'flex',
    flexWrap: 'wrap',
    flexGrow: 1,
    alignItems: 'center',
    justifyContent: 'space-evenly',
    gap: '2px',
    minWidth: 0,
    '& > *': { flexShrink: 0 },
    ':empty': { display: 'none' },
  },
  ungrouped: { display: 'contents', '& > *': { flexShrink: 0 } },
  collapsible: { flexWrap: 'wrap-reverse', justifyContent: 'center' },
  // The bar is to the right of the map on screens that are too narrow to centre the bar.
  besideMap: {
    '@media (min-width: 640px) and (max-width: 1199px)': {
      left: '304px',
      right: '72px',
      width: 'fit-content',
      marginInline: 'auto',
      transform: 'none',
      maxWidth: 'calc(100% - 376px)',
    },
  },
  // The bar is between the map and the zoom buttons. These are to the left of the panel.
  hasPanel: {
    left: '304px',
    right: '428px',
    width: 'fit-content',
    marginInline: 'auto',
    transform: 'none',
    maxWidth: 'calc(100% - 732px)',
    [narrow]: { left: '8px', maxWidth: 'calc(100% - 436px)' },
    [phone]: { display: 'none' },
  },
});

export interface ToolBarProps {
  /** The active module and, in a split view, the secondary module. */
  readonly modules: readonly TourModule[];
  readonly hasPanel: boolean;
  readonly map: { readonly available: boolean; readonly visible: boolean; readonly toggle: () => void };
}

/**
 * Shows the tools of the visible modules, then the tools of the frame. On a phone, the tools of the module are a group
 * above the others. In the split view of a phone, the bar is one row with the tools that both modules share, and a
 * button that expands the other tools.
 */
export const ToolBar = observer(function ToolBar({ modules, hasPanel, map }: ToolBarProps) {
  const styles = useStyles();
  const glass = useGlass();
  const t = useText();
  const store = useService(TourStore);
  const surfaces = useService(ViewSurfaces);
  const allTools = useContributions(tourTools);
  const tools = allTools.filter(
    (tool) => tool.modules === undefined || modules.some((module) => tool.modules?.includes(module.id)),
  );
  const isShared = (tool: TourTool): boolean => modules.every(({ id }) => tool.modules?.includes(id) ?? true);
  useToolsLoading(allTools);
  // There is no surface while modules change. Meanwhile, the bar keeps its width, unless the new module has no picture.
  const isCorrectable = surfaces.all.some((surface) => surface.isCorrectable);
  const [hasPictureTool, setHasPictureTool] = useState(isCorrectable);
  if (surfaces.all.length > 0 && hasPictureTool !== isCorrectable) setHasPictureTool(isCorrectable);
  const hasView = modules.some(({ viewType }) => viewType !== undefined);
  const isFullscreen = useSyncExternalStore(subscribeToFullscreen, () => document.fullscreenElement !== null);
  // The whole page is fullscreen, because menus and dialogs are rendered outside of the tour's element.
  const toggleFullscreen = () =>
    void (isFullscreen ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(
      () => undefined,
    );
  const onPhone = useMediaQuery(phoneQuery);
  const collapsible = onPhone && modules.length > 1;
  const frameTools: readonly FrameTool[] = [
    ...(map.available
      ? [
          {
            label: t(map.visible ? 'tour.hideMap' : 'tour.showMap'),
            icon: <MapIcon />,
            pressed: map.visible,
            onClick: map.toggle,
          },
        ]
      : []),
    ...(document.fullscreenEnabled
      ? [
          {
            label: t(isFullscreen ? 'tour.leaveFullscreen' : 'tour.fullscreen'),
            icon: isFullscreen ? <LeaveFullscreenIcon /> : <FullscreenIcon />,
            onClick: toggleFullscreen,
          },
        ]
      : []),
    { label: t('tour.hideTools'), icon: <HideIcon />, onClick: () => store.setToolbarHidden(true) },
  ];
  const isGrouped = onPhone && !collapsible;
  const groupStyle = isGrouped ? styles.group : styles.ungrouped;
  const shownTools = tools.filter((tool) => !collapsible || isShared(tool));
  return (
    <div
      ref={useCover('bottom')}
      role="toolbar"
      aria-label={t('tour.tools')}
      className={mergeClasses(
        glass.glass,
        glass.rounded,
        styles.bar,
        collapsible && styles.collapsible,
        hasPanel ? styles.hasPanel : map.available && map.visible && styles.besideMap,
      )}
    >
      <div className={mergeClasses(styles.tools, isGrouped && styles.groups)}>
        {/* Both layouts have the same elements, so that tools stay mounted when the window becomes narrow. */}
        <div className={groupStyle}>{renderTools(shownTools.filter((tool) => tool.modules !== undefined))}</div>
        <div className={groupStyle}>
          {renderTools(shownTools.filter((tool) => tool.modules === undefined))}
          <Suspense>{hasPictureTool && hasView ? <PictureTool /> : null}</Suspense>
          {isGrouped ? <FrameToolMenu tools={frameTools} /> : null}
        </div>
        {onPhone ? null : (
          <>
            <span className={styles.divider} />
            {frameTools.map((tool) => (
              <ToolButton key={tool.label} {...tool} />
            ))}
          </>
        )}
      </div>
      {collapsible ? (
        <MoreTools modules={modules} moduleTools={tools.filter((tool) => !isShared(tool))} frameTools={frameTools} />
      ) : null}
    </div>
  );
});

const renderTools = (tools: readonly TourTool[]): ReactNode =>
  tools.map((tool) => <ContributedComponent key={tool.id} contribution={tool} load={tool.load} props={{}} />);

function subscribeToFullscreen(onChange: () => void): () => void {
  document.addEventListener('fullscreenchange', onChange);
  return () => document.removeEventListener('fullscreenchange', onChange);
}

/** Loads the tools and reports the load state to the store. */
function useToolsLoading(tools: readonly TourTool[]): void {
  const store = useService(TourStore);
  // Each render creates a new array. Equal ids mean equal tools.
  const ids = tools.map((tool) => tool.id).join(' ');
  const loadAll = useEffectEvent(() => Promise.all(tools.map((tool) => tool.load())));
  useEffect(() => {
    let isCurrent = true;
    store.setLoading('tools', 'loading');
    loadAll().then(
      () => isCurrent && store.setLoading('tools', 'success'),
      () => isCurrent && store.setLoading('tools', 'failure'),
    );
    return () => {
      isCurrent = false;
    };
  }, [store, ids]);
}
