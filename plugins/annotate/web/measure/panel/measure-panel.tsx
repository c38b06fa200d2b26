import { useEffect, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, EmptyState, FailedState, ListSkeleton, makeStyles, MessageBar, MessageBarActions, MessageBarBody, tokens, Tooltip } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { measurementsCsv } from '../measurements-csv.ts';
import { MeasureDesk } from '../stores/measure-desk.ts';
import { UnitChoice } from '../tool/measure-bar.tsx';
import { MeasurementRow } from './measurement-row.tsx';

const useStyles = makeStyles({
  panel: {
    position: 'absolute',
    top: '56px',
    right: '8px',
    bottom: '64px',
    width: '360px',
    maxWidth: 'calc(100% - 16px)',
    display: 'flex',
    flexDirection: 'column',
    overflow: 'hidden',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    boxShadow: tokens.shadow8,
    '@media (forced-colors: active)': { border: '1px solid CanvasText' },
    '@media (max-width: 639px)': { left: 0, right: 0, top: 'auto', bottom: '56px', width: 'auto', maxWidth: 'none', height: '48%', borderBottomLeftRadius: 0, borderBottomRightRadius: 0 },
  },
  head: { display: 'flex', alignItems: 'center', gap: '8px', padding: '8px 8px 8px 16px' },
  title: { margin: 0, flexGrow: 1, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400, fontWeight: tokens.fontWeightSemibold },
  body: { overflowY: 'auto', flexGrow: 1, padding: '0 8px 8px' },
  list: { margin: 0, padding: 0, listStyleType: 'none' },
  foot: { display: 'flex', alignItems: 'center', gap: '8px', padding: '8px' },
});

/** How long a deletion can be taken back by a button, milliseconds. */
const undoTime = 10_000;

/** All measurements of the tour: names, figures, and what the server has not confirmed. */
export const MeasurePanel = observer(function MeasurePanel() {
  const styles = useStyles();
  const t = useText();
  const desk = useService(MeasureDesk);
  const store = useService(TourStore);
  const { list, unit } = desk;
  const { state, all, deleted } = list;
  const undoable = useRecent(deleted?.uid);
  const location = store.opened?.tour.location;
  return (
    <aside className={styles.panel} aria-label={t('annotate.list')}>
      <div className={styles.head}>
        <h2 className={styles.title}>{t('annotate.list')}</h2>
        <Tooltip content={t('annotate.closeList')} relationship="label">
          <Button appearance="subtle" icon={<Cross />} onClick={() => desk.setPanelShown(false)} />
        </Tooltip>
      </div>
      <div className={styles.body}>
        {state === 'failed' ? <FailedState title={t('annotate.failed')} message={t('annotate.failedHint')} onRetry={() => void (location !== undefined && list.load(location))} /> : null}
        {all.length > 0 ? (
          <ul className={styles.list}>
            {all.map((measurement) => (
              <MeasurementRow key={measurement.uid} measurement={measurement} />
            ))}
          </ul>
        ) : state === 'loaded' ? (
          <EmptyState title={t('annotate.empty')} message={t('annotate.emptyHint')} />
        ) : state === 'failed' ? null : (
          <ListSkeleton />
        )}
      </div>
      {deleted && undoable ? (
        <MessageBar>
          <MessageBarBody>{t('annotate.deleted', { name: deleted.name })}</MessageBarBody>
          <MessageBarActions>
            <Button onClick={() => void list.restore()}>{t('annotate.restore')}</Button>
          </MessageBarActions>
        </MessageBar>
      ) : null}
      <div className={styles.foot}>
        <UnitChoice unit={unit} onUnit={(next) => desk.setUnit(next)} />
        <Button disabled={all.length === 0} onClick={() => download(measurementsCsv(all, unit), t('annotate.csvName', { tour: store.opened?.tour.code ?? '' }))}>
          {t('annotate.export')}
        </Button>
      </div>
    </aside>
  );
});

function Cross() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M5 5l10 10M15 5 5 15" />
    </svg>
  );
}

/** True for a while after the value came. */
function useRecent(value: string | undefined): boolean {
  const [past, setPast] = useState<string>();
  useEffect(() => {
    if (value === undefined) return undefined;
    const timer = setTimeout(() => setPast(value), undoTime);
    return () => clearTimeout(timer);
  }, [value]);
  return value !== undefined && value !== past;
}

function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The click has handed the address on; Safari reads it a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
