import { observer } from 'mobx-react-lite';
import { makeStyles, mergeClasses, tokens, Tooltip } from '#core/ui';
import { ContributedComponent, useService, useText } from '#core/web';
import { TourStore, type TourModule } from '#plugins/tour';
import { phone, useGlass } from './use-glass.ts';

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
    [phone]: { left: 0, right: 0, top: 'auto', bottom: 0, width: 'auto', flexDirection: 'row', justifyContent: 'center', overflowX: 'auto', borderRadius: 0 },
  },
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
});

/** The ways to look at the tour that profile and role allow; on a phone a bar at the bottom. */
export const ModuleRail = observer(function ModuleRail({ modules, chosen }: { readonly modules: readonly TourModule[]; readonly chosen: TourModule }) {
  const styles = useStyles();
  const glass = useGlass();
  const t = useText();
  const store = useService(TourStore);
  return (
    <nav aria-label={t('tour.modules')} className={mergeClasses(glass.glass, glass.rounded, styles.rail)}>
      {modules.map((module) => (
        <Tooltip key={module.id} content={t(module.title)} relationship="label" positioning="after">
          <button type="button" className={mergeClasses(styles.item, module.id === chosen.id && styles.chosen)} aria-pressed={module.id === chosen.id} onClick={() => store.chooseModule(module.id)}>
            <ContributedComponent contribution={module} load={module.icon} props={{}} />
            <span aria-hidden="true">{t(module.shortTitle)}</span>
          </button>
        </Tooltip>
      ))}
    </nav>
  );
});
