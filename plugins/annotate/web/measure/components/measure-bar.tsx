import { useEffect, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, makeStyles, Select } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import { lengthUnits, lengthUnitSymbols, type LengthUnit } from '#core';
import { AnnotateStrip, useStripStyles } from '../../components/annotate-strip.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { SnapIcon } from '../../components/icons.tsx';
import { SyncBadge } from '../../components/sync-note.tsx';
import { formatResult } from './format-result.ts';
import { pointCounts } from '../../../common/compute-result.ts';
import { MeasureStore } from '../stores/measure-store.ts';
import { KindIcon } from './icons.tsx';

/** Milliseconds. */
const aMoment = 400;

/** The next instruction, the current figure, and the unit. */
export const MeasureBar = observer(function MeasureBar() {
  const styles = useStripStyles();
  const t = useText();
  const measureStore = useService(MeasureStore);
  const { language } = useService(I18n);
  const { measuring, unit, list } = measureStore;
  const { tool, points, refusal, preview, hover } = measuring;
  const reading = useLasting(measuring.busy);
  if (!tool) return null;
  const figure = preview && tool !== 'CORDINATES' ? formatResult(tool, points, preview, { language, unit }) : '';
  const newest = list.all[0];
  return (
    <AnnotateStrip
      label={t(`annotate.kind.${tool}`)}
      icon={<KindIcon kind={tool} />}
      words={
        <>
          <span className={styles.words} role="status">
            {reading
              ? t('annotate.reading')
              : refusal
                ? t(`annotate.refusal.${refusal}`)
                : figure || t(`annotate.hint.${tool}`, { count: points.length })}
          </span>
          <span aria-live="polite">
            {measuring.snapping ? t('annotate.snapping') : measuring.snapped ? t('annotate.snapped') : null}
          </span>
          {hover?.edge || points.at(-1)?.edge ? <span className={styles.warning}>{t('annotate.edge')}</span> : null}
          {newest && points.length === 0 && !measureStore.panelShown ? <SyncBadge state={newest.sync.state} /> : null}
        </>
      }
      undo={{ label: t('annotate.undoPoint'), act: points.length > 0 ? () => measuring.undo() : undefined }}
      list={{
        label: t(measureStore.panelShown ? 'annotate.hideList' : 'annotate.showList', { count: list.all.length }),
        shown: measureStore.panelShown,
        toggle: () => measureStore.setPanelShown(!measureStore.panelShown),
      }}
      end={{ label: t('annotate.end'), act: () => measuring.choose(undefined) }}
    >
      <UnitChoice unit={unit} onUnit={(next) => measureStore.setUnit(next)} />
      {tool === 'DIAMETER' ? null : (
        <IconButton
          label={t('annotate.snap')}
          icon={<SnapIcon />}
          pressed={measuring.snapEnabled}
          onClick={() => measuring.setSnapEnabled(!measuring.snapEnabled)}
        />
      )}
      {pointCounts[tool].most > pointCounts[tool].least ? (
        <Button appearance="primary" disabled={!measuring.canFinish} onClick={() => measuring.finish()}>
          {t('annotate.finish')}
        </Button>
      ) : null}
    </AnnotateStrip>
  );
});

/** True once `active` has lasted for a moment. Most picks finish before a busy text could be read. */
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

const useUnitStyles = makeStyles({
  unit: { width: '76px', flexShrink: 0 },
  field: { paddingInlineEnd: '24px', textOverflow: 'ellipsis' },
});

export function UnitChoice({
  unit,
  onUnit,
}: {
  readonly unit: LengthUnit;
  readonly onUnit: (unit: LengthUnit) => void;
}) {
  const styles = useUnitStyles();
  const t = useText();
  return (
    <Select
      className={styles.unit}
      select={{ className: styles.field }}
      size="small"
      aria-label={t('annotate.unit')}
      value={unit}
      onChange={(_, { value }) => onUnit(lengthUnits.find((each) => each === value) ?? 'm')}
    >
      {lengthUnits.map((each) => (
        <option key={each} value={each}>
          {lengthUnitSymbols[each]}
        </option>
      ))}
    </Select>
  );
}
