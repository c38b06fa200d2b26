import { Suspense, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { observer } from 'mobx-react-lite';
import {
  Button,
  makeStyles,
  Menu,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
  mergeClasses,
  tokens,
  ToolButton,
  useCover,
} from '#core/ui';
import { ContributedComponent, useContributions, useService, useText } from '#core/web';
import { tourTools, TourStore, ViewSurfaces, type TourModule, type TourTool } from '#plugins/tour';
import { FullscreenIcon, HideIcon, LeaveFullscreenIcon, MapIcon, MoreIcon } from '../icons.tsx';
import { PictureTool } from './picture-tool.tsx';
import { narrow, phone, phoneQuery, useGlass } from './use-glass.ts';
import { useMediaQuery } from './use-media-query.ts';
import { useScrollHints } from './use-scroll-hints.ts';

const useStyles = makeStyles({
  bar: {
    position: 'absolute',
    left: '50%',
    bottom: '8px',
    transform: 'translateX(-50%)',
    display: 'flex',
    alignItems: 'center',
    height: '48px',
    padding: '0 4px',
    gap: '2px',
    maxWidth: 'calc(100% - 16px)',
    [phone]: { bottom: '68px' },
  },
  // Overflowing tools are scrolled; the bar fades out at edges with hidden tools.
  tools: {
    display: 'flex',
    alignItems: 'center',
    gap: '2px',
    minWidth: 0,
    overflowX: 'auto',
    scrollbarWidth: 'none',
    maskImage:
      'linear-gradient(to right, transparent, #000 var(--more-before, 0px), #000 calc(100% - var(--more-after, ' +
      '0px)), transparent)',
    '& > *': { flexShrink: 0 },
  },
  divider: {
    width: '1px',
    height: '24px',
    flexShrink: 0,
    marginInline: '4px',
    backgroundColor: tokens.colorNeutralStroke2,
  },
  // To the right of the map, on screens that are too narrow to centre it.
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
  // Between the map and the zoom buttons, which are to the left of the panel.
  besidePanel: {
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
  /** The active module, and the secondary one. */
  readonly modules: readonly TourModule[];
  readonly besidePanel: boolean;
  readonly map: { readonly available: boolean; readonly shown: boolean; readonly toggle: () => void };
}

/** The tools of the visible modules, then the frame's own tools. */
export const ToolBar = observer(function ToolBar({ modules, besidePanel, map }: ToolBarProps) {
  const styles = useStyles();
  const glass = useGlass();
  const t = useText();
  const store = useService(TourStore);
  const surfaces = useService(ViewSurfaces);
  const all = useContributions(tourTools);
  const tools = all.filter(
    (tool) => tool.modules === undefined || modules.some((module) => tool.modules?.includes(module.id)),
  );
  useToolsLoading(all);
  const full = useSyncExternalStore(onFullscreen, () => document.fullscreenElement !== null);
  // The whole page instead of the tour only: menus and dialogs are rendered outside the tour's element.
  const toggleFull = () =>
    void (full ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => undefined);
  const onPhone = useMediaQuery(phoneQuery);
  const scroller = useRef<HTMLDivElement>(null);
  useScrollHints(scroller);
  const own = [
    ...(map.available
      ? [
          {
            label: t(map.shown ? 'tour.hideMap' : 'tour.showMap'),
            icon: <MapIcon />,
            pressed: map.shown,
            act: map.toggle,
          },
        ]
      : []),
    ...(document.fullscreenEnabled
      ? [
          {
            label: t(full ? 'tour.leaveFullscreen' : 'tour.fullscreen'),
            icon: full ? <LeaveFullscreenIcon /> : <FullscreenIcon />,
            act: toggleFull,
          },
        ]
      : []),
    { label: t('tour.hideTools'), icon: <HideIcon />, act: () => store.setToolbarHidden(true) },
  ];
  return (
    <div
      ref={useCover('bottom')}
      role="toolbar"
      aria-label={t('tour.tools')}
      className={mergeClasses(
        glass.glass,
        glass.rounded,
        styles.bar,
        besidePanel ? styles.besidePanel : map.available && map.shown && styles.besideMap,
      )}
    >
      <div ref={scroller} className={styles.tools}>
        {tools.map((tool) => (
          <ContributedComponent key={tool.id} contribution={tool} load={tool.load} props={{}} />
        ))}
        <Suspense>{surfaces.all.some(({ corrected }) => corrected) ? <PictureTool /> : null}</Suspense>
        {onPhone ? null : (
          <>
            <span className={styles.divider} />
            {own.map(({ label, icon, pressed, act }) => (
              <ToolButton
                key={label}
                label={label}
                icon={icon}
                onClick={act}
                {...(pressed === undefined ? {} : { pressed })}
              />
            ))}
          </>
        )}
      </div>
      {/* A phone has no space for all tools: those of the picture come first. */}
      {onPhone ? (
        <Menu positioning="above-end">
          <MenuTrigger disableButtonEnhancement>
            <Button size="large" appearance="subtle" icon={<MoreIcon />} aria-label={t('tour.moreTools')} />
          </MenuTrigger>
          <MenuPopover>
            <MenuList>
              {own.map(({ label, icon, act }) => (
                <MenuItem key={label} icon={icon} onClick={act}>
                  {label}
                </MenuItem>
              ))}
            </MenuList>
          </MenuPopover>
        </Menu>
      ) : null}
    </div>
  );
});

function onFullscreen(changed: () => void): () => void {
  document.addEventListener('fullscreenchange', changed);
  return () => document.removeEventListener('fullscreenchange', changed);
}

function useToolsLoading(tools: readonly TourTool[]): void {
  const store = useService(TourStore);
  // The array changes at each render; equal ids mean equal tools.
  const ids = tools.map((tool) => tool.id).join(' ');
  const loadAll = useEffectEvent(() => Promise.all(tools.map((tool) => tool.load())));
  useEffect(() => {
    let current = true;
    store.setLoading('tools', 'loading');
    loadAll().then(
      () => current && store.setLoading('tools', 'success'),
      () => current && store.setLoading('tools', 'failure'),
    );
    return () => {
      current = false;
    };
  }, [store, ids]);
}
