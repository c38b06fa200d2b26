import { observer } from 'mobx-react-lite';
import { Button, makeStyles, Select, tokens } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import { lengthUnits, lengthUnitSymbols, type LengthUnit } from '#core';
import { formatResult } from '../format-result.ts';
import { pointsOf } from '../result-of.ts';
import { MeasureDesk } from '../stores/measure-desk.ts';

const useStyles = makeStyles({
  root: {
    position: 'absolute',
    top: '56px',
    left: '50%',
    transform: 'translateX(-50%)',
    maxWidth: 'calc(100% - 16px)',
    boxSizing: 'border-box',
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '8px',
    padding: '6px 12px',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    boxShadow: tokens.shadow8,
    '@media (forced-colors: active)': { border: '1px solid CanvasText' },
  },
  words: { minWidth: '12ch', fontVariantNumeric: 'tabular-nums' },
  warning: { color: tokens.colorPaletteDarkOrangeForeground1 },
});

/** What to do next, the figure so far, and the unit. */
export const MeasureBar = observer(function MeasureBar() {
  const styles = useStyles();
  const t = useText();
  const desk = useService(MeasureDesk);
  const { language } = useService(I18n);
  const { measuring, unit } = desk;
  const { tool, points, refusal, preview, hover } = measuring;
  if (!tool) return null;
  const figure = preview && tool !== 'CORDINATES' ? formatResult(tool, points, preview, { language, unit }) : '';
  return (
    <div className={styles.root} role="group" aria-label={t(`annotate.kind.${tool}`)}>
      <span className={styles.words} role="status">
        {refusal ? t(`annotate.refusal.${refusal}`) : figure || t(`annotate.hint.${tool}`, { count: points.length })}
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
    </div>
  );
});

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
