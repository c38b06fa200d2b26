import { observer } from 'mobx-react-lite';
import {
  Button,
  CloseOnEscape,
  makeStyles,
  Select,
  Slider,
  Switch,
  Tab,
  TabList,
  tokens,
  Tooltip,
  useCover,
} from '#core/ui';
import { useService, useText } from '#core/web';
import { colorings, type Coloring } from '../viewer/cloud/cloud-graphics.ts';
import { CloseIcon } from './icons.tsx';
import { ScanChoices } from '../stores/scan-choices.ts';
import { chooseColoring, type CloudController } from '../viewer/point-cloud/cloud-controller.ts';

/** Below this width the panel is above the module bar of a phone, left of the compass. */
const phoneQuery = '@media (max-width: 639px)';

const useStyles = makeStyles({
  card: {
    position: 'absolute',
    // Centred in the space that an open panel leaves free.
    left: 'calc((100% - var(--viewer-right) - 8px) / 2)',
    bottom: 'var(--viewer-bottom)',
    transform: 'translateX(-50%)',
    boxSizing: 'border-box',
    width: 'min(440px, calc(100% - var(--viewer-right) - 24px))',
    maxHeight: 'calc(100% - var(--viewer-top) - var(--viewer-bottom) - 16px)',
    overflowY: 'auto',
    display: 'grid',
    gap: '8px',
    padding: '4px 8px 12px 16px',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: `color-mix(in srgb, ${tokens.colorNeutralBackground1} 92%, transparent)`,
    color: tokens.colorNeutralForeground1,
    boxShadow: tokens.shadow8,
    backdropFilter: 'blur(10px)',
    [phoneQuery]: {
      left: '8px',
      transform: 'none',
      width: 'calc(100% - var(--viewer-right-corner) - 16px)',
      maxHeight: '45%',
    },
    '@media (forced-colors: active)': { backgroundColor: 'Canvas', border: '1px solid CanvasText' },
  },
  head: { display: 'flex', alignItems: 'center', gap: '8px' },
  tabs: { flexGrow: 1, minWidth: 0, marginLeft: '-10px' },
  row: { display: 'grid', gridTemplateColumns: '88px 1fr 64px', alignItems: 'center', gap: '8px' },
  value: { textAlign: 'end', fontSize: tokens.fontSizeBase200, fontVariantNumeric: 'tabular-nums' },
  box: { display: 'flex', alignItems: 'center', justifyContent: 'space-between', flexWrap: 'wrap', gap: '4px' },
});

const coloringLabels: Readonly<Record<Coloring, 'scan.colorRgb' | 'scan.colorIntensity' | 'scan.colorHeight'>> = {
  RGB: 'scan.colorRgb',
  INTENSITY: 'scan.colorIntensity',
  HEIGHT: 'scan.colorHeight',
};
const edgeLabels = ['scan.boxWidth', 'scan.boxDepth', 'scan.boxHeight'] as const;

/** Settings of point colours, point size and clipping box. */
export const AppearancePanel = observer(function AppearancePanel({
  controller,
}: {
  readonly controller: CloudController;
}) {
  const styles = useStyles();
  const t = useText();
  const choices = useService(ScanChoices);
  const { clip, coloring, size } = choices;
  const { cloud, clouds } = controller;
  return (
    <CloseOnEscape onClose={() => choices.setAppearanceOpen(false)}>
      <section ref={useCover()} aria-label={t('scan.look')} className={styles.card}>
        <div className={styles.head}>
          <TabList
            size="small"
            className={styles.tabs}
            aria-label={t('scan.coloring')}
            selectedValue={chooseColoring(cloud, coloring)}
            onTabSelect={(_, { value }) => choices.setColoring(value as Coloring)}
          >
            {colorings.map((option) => (
              <Tab key={option} value={option} disabled={chooseColoring(cloud, option) !== option}>
                {t(coloringLabels[option])}
              </Tab>
            ))}
          </TabList>
          <Tooltip content={t('scan.lookClose')} relationship="label">
            <Button appearance="subtle" icon={<CloseIcon />} onClick={() => choices.setAppearanceOpen(false)} />
          </Tooltip>
        </div>
        {clouds.length > 1 ? (
          <Select
            aria-label={t('scan.cloudChoice')}
            value={cloud?.uid ?? ''}
            onChange={(_, { value }) => controller.choose(value)}
          >
            {clouds.map(({ uid, name }) => (
              <option key={uid} value={uid}>
                {name}
              </option>
            ))}
          </Select>
        ) : null}
        <div className={styles.row}>
          <span>{t('scan.pointSize')}</span>
          <Slider
            aria-label={t('scan.pointSize')}
            min={0.5}
            max={3}
            step={0.25}
            value={size}
            onChange={(_, { value }) => choices.setSize(value)}
          />
          <span className={styles.value}>{t('scan.times', { value: size })}</span>
        </div>
        <div className={styles.box}>
          <Switch
            label={t('scan.box')}
            checked={clip !== undefined}
            onChange={(_, { checked }) => choices.setClip(checked ? controller.createBoxAhead() : undefined)}
          />
          {clip ? (
            <Button size="small" onClick={() => choices.setClip(controller.createBoxAhead(clip.half))}>
              {t('scan.boxHere')}
            </Button>
          ) : null}
        </div>
        {clip
          ? edgeLabels.map((edge, axis) => (
              <div key={edge} className={styles.row}>
                <span>{t(edge)}</span>
                <Slider
                  aria-label={t(edge)}
                  min={0.5}
                  max={20}
                  step={0.5}
                  value={2 * (clip.half[axis] ?? 0)}
                  onChange={(_, { value }) =>
                    choices.setClip({
                      ...clip,
                      half: [
                        axis === 0 ? value / 2 : clip.half[0],
                        axis === 1 ? value / 2 : clip.half[1],
                        axis === 2 ? value / 2 : clip.half[2],
                      ],
                    })
                  }
                />
                <span className={styles.value}>{t('scan.metres', { value: 2 * (clip.half[axis] ?? 0) })}</span>
              </div>
            ))
          : null}
      </section>
    </CloseOnEscape>
  );
});
