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

export const BatchTable = observer(function BatchTable({ batch, location }: BatchTableProps) {
  const t = useText();
  const styles = useStyles();
  const [onlyWithProblems, setOnlyWithProblems] = useState(false);
  const { files, problems } = batch;
  const rows = useMemo(
    () =>
      toListedRows(
        onlyWithProblems
          ? files.filter((batchFile) => problems.has(batchFile) || batchFile.uploadState === 'FAILED')
          : files,
      ),
    [files, problems, onlyWithProblems],
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
        cell: (batchFile) => <CapturedCell batchFile={batchFile} batch={batch} location={location} />,
      },
      {
        id: 'viewpoint',
        title: t('tour.batch.viewpoint'),
        width: 'minmax(140px, 1fr)',
        cell: (batchFile, tabIndex) => <ViewpointCombobox batchFile={batchFile} batch={batch} tabIndex={tabIndex} />,
      },
      {
        id: 'state',
        title: t('tour.batch.state'),
        width: 'minmax(0, 1.6fr)',
        cell: (batchFile) => <StateCell batchFile={batchFile} batch={batch} />,
      },
    ],
    [t, styles, batch, location],
  );
  return (
    <div className={styles.root}>
      <Checkbox
        label={t('tour.batch.onlyOpen')}
        checked={onlyWithProblems}
        onChange={(_, { checked }) => setOnlyWithProblems(checked === true)}
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
  readonly batchFile: BatchFile;
  readonly batch: PanoramaBatch;
}

const CapturedCell = observer(function CapturedCell({
  batchFile,
  batch,
  location,
}: CellProps & { readonly location: string }) {
  const t = useText();
  const styles = useStyles();
  const formats = useFormats(location);
  const time = batch.findCaptureTimeOrDefault(batchFile);
  if (!time) return <span className={styles.note}>{t('tour.batch.unknownTime')}</span>;
  return (
    <span className={`${styles.text} ${styles.number}`}>
      {batchFile.metadata.localTime === undefined ? formats.day(time) : formats.instant(time)}
    </span>
  );
});

const StateCell = observer(function StateCell({ batchFile, batch }: CellProps) {
  const t = useText();
  const styles = useStyles();
  const formatFailure = useFormatFailure();
  const problem = batch.problems.get(batchFile);
  if (batchFile.uploadState === 'FAILED')
    return <span className={styles.failure}>{formatFailure(batchFile.failure)}</span>;
  if (batchFile.uploadState !== 'WAITING')
    return <span>{t(`tour.batch.state.${batchFile.uploadState}`, { fraction: batchFile.fraction })}</span>;
  if (problem === 'unassigned') return <span className={styles.note}>{t('tour.batch.problem.unassigned')}</span>;
  if (problem) return <span className={styles.failure}>{t(`tour.batch.problem.${problem}`)}</span>;
  const tilt = batch.shouldLevel ? batch.findTilt(batchFile) : undefined;
  // Avoids “-0.00°” for a small negative value.
  const formatDegrees = (degrees: number): string =>
    t('tour.align.degrees', { value: Math.round(degrees * 100) / 100 || 0 });
  return (
    <span className={styles.note}>
      {[
        ...(batchFile.assignment ? [t(`tour.batch.reason.${batchFile.assignment.reason}`)] : []),
        ...(tilt ? [t('tour.batch.tilt', { pitch: formatDegrees(tilt.pitch), roll: formatDegrees(tilt.roll) })] : []),
      ].join(' · ')}
    </span>
  );
});
