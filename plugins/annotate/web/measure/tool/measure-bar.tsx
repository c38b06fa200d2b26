import { useEffect, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, Select } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import { lengthUnits, lengthUnitSymbols, type LengthUnit } from '#core';
import { AnnotateStrip, useStripStyles } from '../../surface/annotate-strip.tsx';
import { formatResult } from '../format-result.ts';
import { pointsOf } from '../result-of.ts';
import { MeasureDesk } from '../stores/measure-desk.ts';

/** Milliseconds. */
const aMoment = 400;

/** What to do next, the figure so far, and the unit. */
export const MeasureBar = observer(function MeasureBar() {
  const styles = useStripStyles();
  const t = useText();
  const desk = useService(MeasureDesk);
  const { language } = useService(I18n);
  const { measuring, unit } = desk;
  const { tool, points, refusal, preview, hover } = measuring;
  const reading = useLasting(measuring.busy);
  if (!tool) return null;
  const figure = preview && tool !== 'CORDINATES' ? formatResult(tool, points, preview, { language, unit }) : '';
  return (
    <AnnotateStrip label={t(`annotate.kind.${tool}`)}>
      <span className={styles.words} role="status">
        {reading ? t('annotate.reading') : refusal ? t(`annotate.refusal.${refusal}`) : figure || t(`annotate.hint.${tool}`, { count: points.length })}
      </span>
      {hover?.edge || points.at(-1)?.edge ? <span className={styles.warning}>{t('annotate.edge')}</span> : null}
      <UnitChoice unit={unit} onUnit={(next) => desk.setUnit(next)} />
      {points.length > 0 ? <Button onClick={() => measuring.undo()}>{t('annotate.undoPoint')}</Button> : null}
      {pointsOf[tool].most > pointsOf[tool].least ? (
        <Button appearance="primary" disabled={!measuring.canFinish} onClick={() => measuring.finish()}>
          {t('annotate.finish')}
        </Button>
      ) : null}
      <Button appearance="subtle" onClick={() => measuring.choose(undefined)}>
        {t('annotate.end')}
      </Button>
    </AnnotateStrip>
  );
});

/** True once something has gone on for a moment: most answers are there before one could read that they are on their way. */
function useLasting(going: boolean): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!going) return undefined;
    const timer = setTimeout(() => setLasts(true), aMoment);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [going]);
  return going && lasts;
}

export function UnitChoice({ unit, onUnit }: { readonly unit: LengthUnit; readonly onUnit: (unit: LengthUnit) => void }) {
  const t = useText();
  return (
    <Select size="small" aria-label={t('annotate.unit')} value={unit} onChange={(_, { value }) => onUnit(lengthUnits.find((each) => each === value) ?? 'm')}>
      {lengthUnits.map((each) => (
        <option key={each} value={each}>
          {lengthUnitSymbols[each]}
        </option>
      ))}
    </Select>
  );
}
