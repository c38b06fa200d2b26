import { useEffect, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, makeStyles, Select } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import { lengthUnits, lengthUnitSymbols, type LengthUnit } from '#core';
import { AnnotateStrip, useStripStyles } from '../../components/annotate-strip.tsx';
import { ContinueIn } from '../../components/continue-in.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { SnapIcon } from '../../components/icons.tsx';
import { useHint } from '../../components/use-hint.ts';
import { InputStore } from '../../viewer/input-store.ts';
import { formatResult } from './format-result.ts';
import { pointCounts } from '../../../common/compute-result.ts';
import { MeasureStore } from '../stores/measure-store.ts';
import { KindIcon } from './icons.tsx';

const busyDelayMs = 400;

/** Shows the next instruction or the current value, and the unit. */
export const MeasureBar = observer(function MeasureBar() {
  const styles = useStripStyles();
  const t = useText();
  const hint = useHint();
  const input = useService(InputStore);
  const measureStore = useService(MeasureStore);
  const { language } = useService(I18n);
  const { measurementDraft, unit, list } = measureStore;
  const { kind, points, clickProblem, preview, hoverPoint } = measurementDraft;
  const isPickDelayed = useDelayed(measurementDraft.isPicking);
  if (!kind) return null;
  const formatStatus = (): string => {
    if (isPickDelayed) return t('annotate.reading');
    if (clickProblem) return t(`annotate.clickProblem.${clickProblem}`);
    const value = preview && kind !== 'CORDINATES' ? formatResult(kind, points, preview, { language, unit }) : '';
    return value || hint(`annotate.hint.${kind}`, points.length);
  };
  const end = (): void => {
    measurementDraft.choose(undefined);
    input.restoreFocus();
  };
  return (
    <AnnotateStrip
      label={t(`annotate.kind.${kind}`)}
      icon={<KindIcon kind={kind} />}
      status={
        <>
          <span className={styles.status} role="status">
            {formatStatus()}
          </span>
          {clickProblem === 'noDepth' ? <ContinueIn onContinue={() => measurementDraft.clearClickProblem()} /> : null}
          <span aria-live="polite">
            {measurementDraft.willSnap
              ? t('annotate.snapping')
              : measurementDraft.lastPointSnapped
                ? t('annotate.snapped')
                : null}
          </span>
          {(hoverPoint ?? points.at(-1))?.source === 'MODEL' ? <span>{t('annotate.fromModel')}</span> : null}
          {hoverPoint?.edge || points.at(-1)?.edge ? (
            <span className={styles.warning}>{t('annotate.edge')}</span>
          ) : null}
        </>
      }
      undo={{ label: t('annotate.undoPoint'), onClick: points.length > 0 ? () => measurementDraft.undo() : undefined }}
      panelToggle={{
        label: t(measureStore.panelOpen ? 'annotate.hideList' : 'annotate.showList', { count: list.all.length }),
        open: measureStore.panelOpen,
        toggle: () => measureStore.setPanelOpen(!measureStore.panelOpen),
      }}
      end={{ label: t('annotate.end'), onClick: end }}
    >
      <UnitChoice unit={unit} onUnitChange={(next) => measureStore.setUnit(next)} />
      {kind === 'DIAMETER' ? null : (
        <IconButton
          label={t('annotate.snap')}
          icon={<SnapIcon />}
          pressed={measurementDraft.snapEnabled}
          onClick={() => measurementDraft.setSnapEnabled(!measurementDraft.snapEnabled)}
        />
      )}
      {pointCounts[kind].max > pointCounts[kind].min ? (
        <Button
          appearance="primary"
          disabled={!measurementDraft.canComplete}
          onClick={() => measurementDraft.complete()}
        >
          {t('annotate.finish')}
        </Button>
      ) : null}
    </AnnotateStrip>
  );
});

/** Whether `active` has been true for `busyDelayMs`. Most picks end before a busy text could be read. */
function useDelayed(active: boolean): boolean {
  const [elapsed, setElapsed] = useState(false);
  useEffect(() => {
    if (!active) return undefined;
    const timer = setTimeout(() => setElapsed(true), busyDelayMs);
    return () => {
      clearTimeout(timer);
      setElapsed(false);
    };
  }, [active]);
  return active && elapsed;
}

const useUnitStyles = makeStyles({
  unit: { width: '76px', flexShrink: 0 },
  field: { paddingInlineEnd: '24px', textOverflow: 'ellipsis' },
});

export function UnitChoice({
  unit,
  onUnitChange,
}: {
  readonly unit: LengthUnit;
  readonly onUnitChange: (unit: LengthUnit) => void;
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
      onChange={(_, { value }) => onUnitChange(lengthUnits.find((candidate) => candidate === value) ?? 'm')}
    >
      {lengthUnits.map((option) => (
        <option key={option} value={option}>
          {lengthUnitSymbols[option]}
        </option>
      ))}
    </Select>
  );
}
