import { useState } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, makeStyles, mergeClasses, tokens, Tooltip } from '#core/ui';
import { I18n, Sites, useFormats, useService, useText } from '#core/web';
import { formatNumber } from '#core';
import type { MeasurementResult } from '#plugins/annotate';
import { CopyButton } from '../../components/copy-button.tsx';
import { CopyIcon } from '../../components/icons.tsx';
import { ItemActions, useItemStyles } from '../../components/item-row.tsx';
import { NameField } from '../../components/name-field.tsx';
import { useOpenEdit } from '../../stores/use-synced-list.ts';
import { NotEditableNote } from '../../components/not-editable-note.tsx';
import { SyncBadge, SyncActions } from '../../components/sync-note.tsx';
import { formatDatum, formatPartialLength, formatResult, type ResultStyle } from './format-result.ts';
import { MeasureStore } from '../stores/measure-store.ts';
import type { ListedMeasurement } from '../stores/measurement-list.ts';
import { KindIcon } from './icons.tsx';

const useStyles = makeStyles({
  figure: {
    margin: '2px 0',
    fontVariantNumeric: 'tabular-nums',
    fontWeight: tokens.fontWeightSemibold,
    overflowWrap: 'anywhere',
  },
  nominal: { display: 'block', fontWeight: tokens.fontWeightRegular },
});

/** The list row of a measurement with its value and its actions. */
export const MeasurementRow = observer(function MeasurementRow({
  measurement,
}: {
  readonly measurement: ListedMeasurement;
}) {
  const styles = { ...useItemStyles(), ...useStyles() };
  const t = useText();
  const formats = useFormats(measurement.location);
  const measureStore = useService(MeasureStore);
  const { language } = useService(I18n);
  const site = useService(Sites).recordAt(measurement.location);
  const { list, unit, selected } = measureStore;
  const { uid, name, kind, points, result, sync, own, author, createdAt } = measurement;
  const { nps, dn } = result.details;
  const [renaming, setRenaming] = useState(false);
  useOpenEdit(list, uid, renaming);
  const formattedValue = formatResult(kind, points, result, { language, unit });
  const rename = (next: string | undefined): void => {
    setRenaming(false);
    if (next !== undefined && next !== name) void list.change(uid, { name: next });
  };
  return (
    <li
      className={mergeClasses(styles.row, uid === selected && styles.chosen)}
      aria-current={uid === selected ? 'true' : undefined}
    >
      <div className={styles.line}>
        <KindIcon kind={kind} />
        {renaming ? (
          <NameField name={name} onEnd={rename} />
        ) : (
          <Tooltip content={t('annotate.goTo')} relationship="description">
            <Button appearance="transparent" className={styles.name} onClick={() => measureStore.goTo(measurement)}>
              {name}
            </Button>
          </Tooltip>
        )}
        <SyncBadge state={sync.state} />
      </div>
      <p className={styles.figure}>
        {formattedValue}
        {typeof nps === 'string' ? (
          <span className={styles.nominal}>{t('annotate.detail.nominal', { nps, dn: Number(dn) })}</span>
        ) : null}
      </p>
      <p className={styles.details}>
        {kind === 'CORDINATES'
          ? formatDatum(site, { language, unit }, t)
          : formatDetails(result, { language, unit }, t)}
      </p>
      <p className={styles.details}>
        {t(own ? 'annotate.madeByYou' : 'annotate.madeBy', { author, at: formats.instant(createdAt) })}
      </p>
      <NotEditableNote item={measurement} />
      <SyncActions list={list} uid={uid} sync={sync} />
      <div className={styles.actions}>
        <ItemActions
          item={measurement}
          list={list}
          edit={{ label: t('annotate.rename'), start: () => setRenaming(true) }}
          formatUrl={(item) => measureStore.formatUrl(item)}
          onDelete={() => void list.remove(uid)}
        >
          <CopyButton label={t('annotate.copy')} icon={<CopyIcon />} getText={() => formattedValue} />
        </ItemActions>
      </div>
    </li>
  );
});

function formatDetails(
  { details, sigma }: MeasurementResult,
  style: ResultStyle,
  t: ReturnType<typeof useText>,
): string {
  const formatLength = (value: unknown): string => (typeof value === 'number' ? formatPartialLength(value, style) : '');
  // The parts of a distance have the uncertainty of the distance.
  const formatLeg = (value: unknown): string =>
    typeof value === 'number' ? formatPartialLength(value, style, sigma) : '';
  const { horizontal, vertical, direct, legs, perimeter, offPlane, crossing, rms, arc, count, sides } = details;
  const parts = [
    typeof legs === 'number' && legs > 1 && t('annotate.detail.direct', { value: formatLeg(direct) }),
    horizontal !== undefined && t('annotate.detail.horizontal', { value: formatLeg(horizontal) }),
    typeof vertical === 'number' && t('annotate.detail.vertical', { value: formatLeg(Math.abs(vertical)) }),
    perimeter !== undefined && t('annotate.detail.perimeter', { value: formatLength(perimeter) }),
    typeof offPlane === 'number' &&
      offPlane >= 0.001 &&
      t('annotate.detail.offPlane', { value: formatLength(offPlane) }),
    crossing === true && t('annotate.detail.crossing'),
    typeof rms === 'number' &&
      t(sides === undefined ? 'annotate.detail.fit' : 'annotate.detail.sides', {
        sides: Number(sides),
        rms: formatNumber(rms * 1000, { language: style.language, decimals: 1 }),
        arc: Number(arc),
        count: Number(count),
      }),
  ];
  return parts.filter((part) => typeof part === 'string').join(' · ');
}
