import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import { Checkbox, makeStyles, tokens } from '#core/ui';
import { DataTable, type DataColumn } from '#core/ui-data';
import { useFormatFailure, useFormats, useText } from '#core/web';
import type { BatchFile } from '../../stores/batch/batch-file.ts';
import type { PanoramaBatch } from '../../stores/batch/panorama-batch.ts';
import { toListedRows } from '../../stores/listed-rows.ts';
import { ViewpointCombobox } from './viewpoint-combobox.tsx';

const useStyles = makeStyles({
  root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalS },
  text: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', display: 'block' },
  number: { fontVariantNumeric: 'tabular-nums' },
  failure: { color: tokens.colorPaletteRedForeground1, fontSize: tokens.fontSizeBase200, display: 'block' },
  note: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200, display: 'block' },
});

export interface BatchTableProps {
  readonly batch: PanoramaBatch;
  readonly location: string;
}

/** The files of a batch with their viewpoints, why they belong to them, and how far they are. */
export const BatchTable = observer(function BatchTable({ batch, location }: BatchTableProps) {
  const t = useText();
  const styles = useStyles();
  const [onlyOpen, setOnlyOpen] = useState(false);
  const { files, problems } = batch;
  const rows = useMemo(
    () => toListedRows(onlyOpen ? files.filter((row) => problems.has(row) || row.state === 'FAILED') : files),
    [files, problems, onlyOpen],
  );
  const columns = useMemo(
    (): readonly DataColumn<BatchFile>[] => [
      {
        id: 'file',
        title: t('tour.batch.file'),
        width: 'minmax(0, 1.4fr)',
        cell: ({ file }) => (
          <span className={styles.text} title={file.name}>
            {file.name}
          </span>
        ),
      },
      {
        id: 'captured',
        title: t('tour.batch.captured'),
        width: 'minmax(0, 1.2fr)',
        cell: (row) => <CapturedCell row={row} batch={batch} location={location} />,
      },
      {
        id: 'viewpoint',
        title: t('tour.batch.viewpoint'),
        width: 'minmax(140px, 1fr)',
        cell: (row, tabIndex) => <ViewpointCombobox row={row} batch={batch} tabIndex={tabIndex} />,
      },
      {
        id: 'state',
        title: t('tour.batch.state'),
        width: 'minmax(0, 1.6fr)',
        cell: (row) => <StateCell row={row} batch={batch} />,
      },
    ],
    [t, styles, batch, location],
  );
  return (
    <div className={styles.root}>
      <Checkbox
        label={t('tour.batch.onlyOpen')}
        checked={onlyOpen}
        onChange={(_, { checked }) => setOnlyOpen(checked === true)}
      />
      <DataTable
        label={t('tour.batch.table')}
        rows={rows}
        columns={columns}
        rowHeightPx={56}
        narrow={{ belowPx: 640, rowHeightPx: 148 }}
        empty={<p>{t('tour.batch.allSet')}</p>}
      />
    </div>
  );
});

interface CellProps {
  readonly row: BatchFile;
  readonly batch: PanoramaBatch;
}

const CapturedCell = observer(function CapturedCell({
  row,
  batch,
  location,
}: CellProps & { readonly location: string }) {
  const t = useText();
  const styles = useStyles();
  const formats = useFormats(location);
  const time = batch.captureTime(row);
  if (!time) return <span className={styles.note}>{t('tour.batch.unknownTime')}</span>;
  return (
    <span className={`${styles.text} ${styles.number}`}>
      {row.facts.wallTime === undefined ? formats.day(time) : formats.instant(time)}
    </span>
  );
});

const StateCell = observer(function StateCell({ row, batch }: CellProps) {
  const t = useText();
  const styles = useStyles();
  const formatFailure = useFormatFailure();
  const problem = batch.problems.get(row);
  if (row.state === 'FAILED') return <span className={styles.failure}>{formatFailure(row.failure)}</span>;
  if (row.state !== 'WAITING') return <span>{t(`tour.batch.state.${row.state}`, { share: row.share })}</span>;
  if (problem === 'unassigned') return <span className={styles.note}>{t('tour.batch.problem.unassigned')}</span>;
  if (problem) return <span className={styles.failure}>{t(`tour.batch.problem.${problem}`)}</span>;
  return <span className={styles.note}>{row.match ? t(`tour.batch.reason.${row.match.reason}`) : null}</span>;
});
