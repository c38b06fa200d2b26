import { observer } from 'mobx-react-lite';
import {
  Button,
  CloseOnEscape,
  makeStyles,
  mergeClasses,
  Slider,
  Tab,
  TabList,
  tokens,
  Tooltip,
  useCover,
} from '#core/ui';
import { useService, useText } from '#core/web';
import type { Section } from '../viewer/engine-types.ts';
import { CloseIcon, FlipIcon } from './icons.tsx';
import { ModelViewStore } from '../stores/model-view-store.ts';
import { useCardStyles } from './use-card-styles.ts';

const useStyles = makeStyles({
  row: { display: 'flex', alignItems: 'center', gap: '8px' },
  tabs: { flexGrow: 1, minWidth: 0 },
  slider: { flexGrow: 1, minWidth: 0 },
  value: { minWidth: '64px', textAlign: 'end', fontSize: tokens.fontSizeBase200, fontVariantNumeric: 'tabular-nums' },
});

const axes = ['x', 'y', 'z'] as const;
const axisLabels = { x: 'model-3d.sectionX', y: 'model-3d.sectionY', z: 'model-3d.sectionZ' } as const;

/** Controls of the section along one axis of the site. */
export const SectionPanel = observer(function SectionPanel() {
  const cards = useCardStyles();
  const styles = useStyles();
  const t = useText();
  const modelView = useService(ModelViewStore);
  const cover = useCover();
  const { bounds, section, engine } = modelView;
  if (!bounds) return null;
  const getRange = (axis: Section['axis']) => ({
    minOffset: Math.floor(bounds.min[axes.indexOf(axis)]! * 10) / 10,
    maxOffset: Math.ceil(bounds.max[axes.indexOf(axis)]! * 10) / 10,
  });
  const selectAxis = (axis: Section['axis'] | 'none'): void => {
    if (axis === 'none') return modelView.setSection(undefined);
    const eye = engine?.view.position[axes.indexOf(axis)] ?? 0;
    const { minOffset, maxOffset } = getRange(axis);
    // A section along z starts half a metre above the eye. Along x or y it starts at the eye and keeps the view ahead.
    const initial = axis === 'z' ? eye + 0.5 : eye;
    const aheadOnAxis =
      axis === 'z' ? 0 : Math[axis === 'x' ? 'sin' : 'cos'](((engine?.view.pan ?? 0) * Math.PI) / 180);
    modelView.setSection({
      axis,
      offset: Math.round(Math.min(maxOffset, Math.max(minOffset, initial)) * 10) / 10,
      flipped: aheadOnAxis > 0,
    });
  };
  return (
    <CloseOnEscape onClose={() => modelView.setSectionOpen(false)}>
      <section ref={cover} aria-label={t('model-3d.section')} className={mergeClasses(cards.card, cards.section)}>
        <div className={styles.row}>
          <TabList
            size="small"
            className={styles.tabs}
            selectedValue={section?.axis ?? 'none'}
            onTabSelect={(_, { value }) => selectAxis(value as Section['axis'] | 'none')}
          >
            <Tab value="none">{t('model-3d.sectionNone')}</Tab>
            {axes.map((axis) => (
              <Tab key={axis} value={axis}>
                {t(axisLabels[axis])}
              </Tab>
            ))}
          </TabList>
          <Tooltip content={t('model-3d.sectionClose')} relationship="label">
            <Button
              appearance="subtle"
              size="small"
              icon={<CloseIcon />}
              onClick={() => modelView.setSectionOpen(false)}
            />
          </Tooltip>
        </div>
        {section ? (
          <div className={styles.row}>
            <Slider
              className={styles.slider}
              aria-label={t('model-3d.sectionPlace')}
              min={getRange(section.axis).minOffset}
              max={getRange(section.axis).maxOffset}
              step={0.1}
              value={section.offset}
              onChange={(_, { value }) => modelView.setSection({ ...section, offset: Math.round(value * 10) / 10 })}
            />
            <span className={styles.value}>{t('model-3d.metres', { value: section.offset })}</span>
            <Tooltip content={t('model-3d.sectionFlip')} relationship="label">
              <Button
                appearance="subtle"
                icon={<FlipIcon />}
                aria-pressed={section.flipped}
                onClick={() => modelView.setSection({ ...section, flipped: !section.flipped })}
              />
            </Tooltip>
          </div>
        ) : null}
      </section>
    </CloseOnEscape>
  );
});
