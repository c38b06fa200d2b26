import { observer } from 'mobx-react-lite';
import { makeStyles, mergeClasses, tokens, Tooltip, useCover } from '#core/ui';
import { ContributedComponent, useService, useText } from '#core/web';
import { TourStore, type TourModule } from '#plugins/tour';
import { SplitIcon } from '../icons.tsx';
import { phone, phoneQuery, useGlass } from './use-glass.ts';
import { useMediaQuery } from './use-media-query.ts';

const useStyles = makeStyles({
  rail: {
    position: 'absolute',
    left: '8px',
    top: '64px',
    width: '56px',
    display: 'flex',
    flexDirection: 'column',
    padding: '4px',
    gap: '4px',
    [phone]: {
      left: 0,
      right: 0,
      top: 'auto',
      bottom: 0,
      width: 'auto',
      flexDirection: 'row',
      justifyContent: 'center',
      overflowX: 'auto',
      borderRadius: 0,
    },
  },
  paneRail: { [phone]: { left: '8px', right: 'auto', bottom: 'auto', borderRadius: tokens.borderRadiusXLarge } },
  item: {
    display: 'grid',
    justifyItems: 'center',
    gap: '2px',
    width: '48px',
    minHeight: '48px',
    alignContent: 'center',
    padding: 0,
    color: tokens.colorNeutralForeground1,
    backgroundColor: 'transparent',
    border: 'none',
    borderRadius: tokens.borderRadiusLarge,
    fontFamily: 'inherit',
    fontSize: '12px',
    lineHeight: '14px',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorSubtleBackgroundHover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
  chosen: {
    backgroundColor: tokens.colorBrandBackground,
    color: tokens.colorNeutralForegroundOnBrand,
    ':hover': { backgroundColor: tokens.colorBrandBackgroundHover },
    '@media (forced-colors: active)': { outline: '2px solid Highlight', outlineOffset: '-2px' },
  },
  // The active module has the filled background.
  split: {
    boxShadow: `inset 0 0 0 2px ${tokens.colorBrandStroke1}`,
    '@media (forced-colors: active)': { outline: '2px solid Highlight', outlineOffset: '-2px' },
  },
});

export interface ModuleRailProps {
  readonly modules: readonly TourModule[];
  readonly activeModule: TourModule;
  /** The secondary module of a split view. */
  readonly secondary: TourModule | undefined;
}

/** The buttons of the allowed modules and of the split view. On a phone it is a bar at the bottom. */
export const ModuleRail = observer(function ModuleRail({ modules, activeModule, secondary }: ModuleRailProps) {
  const styles = useStyles();
  const glass = useGlass();
  const t = useText();
  const store = useService(TourStore);
  const otherModule = modules.find((module) => module.id !== activeModule.id);
  const cover = useCover(useMediaQuery(phoneQuery) ? 'bottom' : 'left');
  return (
    <nav ref={cover} aria-label={t('tour.modules')} className={mergeClasses(glass.glass, glass.rounded, styles.rail)}>
      {modules.map((module) => (
        <ModuleButton
          key={module.id}
          module={module}
          pressed={module.id === activeModule.id}
          onClick={() => store.chooseModule(module.id)}
        />
      ))}
      {otherModule ? (
        <Tooltip content={t('tour.split')} relationship="label" positioning="after">
          <button
            type="button"
            className={mergeClasses(styles.item, secondary && styles.split)}
            aria-pressed={secondary !== undefined}
            onClick={() => store.setSecondaryModule(secondary ? undefined : otherModule.id)}
          >
            <SplitIcon />
            <span aria-hidden="true">{t('tour.splitShort')}</span>
          </button>
        </Tooltip>
      ) : null}
    </nav>
  );
});

/**
 * The rail of the secondary module of a split view. Its position is the edge of the pane: at `fraction` of the width,
 * or of the height on a phone.
 */
export const SecondaryModuleRail = observer(function SecondaryModuleRail({
  modules,
  secondary,
  fraction,
}: {
  readonly modules: readonly TourModule[];
  readonly secondary: TourModule;
  readonly fraction: number;
}) {
  const styles = useStyles();
  const glass = useGlass();
  const t = useText();
  const store = useService(TourStore);
  const stacked = useMediaQuery(phoneQuery);
  const start = `calc(${fraction * 100}% + 12px)`;
  const cover = useCover(stacked ? 'top' : 'left');
  return (
    <nav
      ref={cover}
      aria-label={t('tour.modulesBeside')}
      className={mergeClasses(glass.glass, glass.rounded, styles.rail, styles.paneRail)}
      style={stacked ? { top: start } : { left: start }}
    >
      {modules.map((module) => (
        <ModuleButton
          key={module.id}
          module={module}
          pressed={module.id === secondary.id}
          onClick={() => store.setSecondaryModule(module.id)}
        />
      ))}
    </nav>
  );
});

function ModuleButton({
  module,
  pressed,
  onClick,
}: {
  readonly module: TourModule;
  readonly pressed: boolean;
  readonly onClick: () => void;
}) {
  const styles = useStyles();
  const t = useText();
  return (
    <Tooltip content={t(module.title)} relationship="label" positioning="after">
      <button
        type="button"
        className={mergeClasses(styles.item, pressed && styles.chosen)}
        aria-pressed={pressed}
        onClick={onClick}
      >
        <ContributedComponent contribution={module} load={module.icon} props={{}} />
        <span aria-hidden="true">{t(module.shortTitle)}</span>
      </button>
    </Tooltip>
  );
}
