import { observer } from 'mobx-react-lite';
import {
  Button,
  Field,
  makeStyles,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  Slider,
  Tooltip,
  useTooltipVisibility,
} from '#core/ui';
import { useService, useText } from '#core/web';
import type { PictureCorrection } from '#plugins/tour';
import { noCorrection, CorrectionStore } from '../../stores/correction-store.ts';
import { CorrectionIcon } from '../icons.tsx';

const useStyles = makeStyles({
  surface: { display: 'grid', gap: '8px', width: '240px', maxWidth: 'calc(100vw - 64px)', boxSizing: 'border-box' },
});

const properties = ['brightness', 'contrast'] as const satisfies readonly (keyof PictureCorrection)[];

/** Brightness and contrast of the panoramas. */
export const PictureTool = observer(function PictureTool() {
  const styles = useStyles();
  const t = useText();
  const store = useService(CorrectionStore);
  const { correction, isNeutral } = store;
  const tooltipVisibility = useTooltipVisibility();
  return (
    <Popover positioning="above" trapFocus>
      <PopoverTrigger disableButtonEnhancement>
        <Tooltip content={t('tour.picture')} relationship="label" {...tooltipVisibility}>
          <Button size="large" appearance="subtle" icon={<CorrectionIcon filled={!isNeutral} />} />
        </Tooltip>
      </PopoverTrigger>
      <PopoverSurface className={styles.surface} aria-label={t('tour.picture')}>
        {properties.map((property) => (
          <Field key={property} label={t(`tour.picture.${property}`)}>
            <Slider
              min={-100}
              max={100}
              step={5}
              value={toPercent(correction[property])}
              onChange={(_, { value }) => store.change({ [property]: value / 100 })}
            />
          </Field>
        ))}
        <Button disabled={isNeutral} onClick={() => store.change(noCorrection)}>
          {t('tour.picture.reset')}
        </Button>
      </PopoverSurface>
    </Popover>
  );
});

const toPercent = (value: number): number => Math.round(value * 100);
