import { makeStyles, mergeClasses } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { UndoReport } from '../../contract/api.ts';
import { FindingText } from './finding-text.tsx';

const useStyles = makeStyles({ text: { marginTop: 0, marginBottom: 0 } });

export interface UndoReportTextProps {
  readonly report: UndoReport;
  /** False if the report only says what an undo would do. */
  readonly done: boolean;
}

/** How many rows an undo reverses, and each row that it keeps or cannot restore. */
export function UndoReportText({ report, done }: UndoReportTextProps) {
  const t = useText();
  const admin = useAdminStyles();
  const styles = useStyles();
  const { counted, reversed, kept, blocked, rows } = report;
  const unnamedCount = kept + blocked - rows.length;
  return (
    <>
      <p role="status" className={styles.text}>
        {t(done ? 'imports.undo.did' : 'imports.undo.would', { counted, reversed, kept, blocked })}
      </p>
      {counted === 'ENTRIES' ? <p className={admin.note}>{t('imports.undo.entries')}</p> : null}
      {rows.length === 0 ? null : (
        <ul className={mergeClasses(admin.report, styles.text)} aria-label={t('imports.undo.rows')}>
          {rows.map(({ table, sheets, name, code, outcome, reason }, index) => (
            <li key={`${table} ${name} ${index}`}>
              {sheets.length === 0 ? null : `${sheets.join(' / ')}: `}
              <strong>{code === null ? name : `${code} (${name})`}</strong>
              {' – '}
              {reason ? <FindingText finding={reason} column={undefined} /> : t(`imports.undo.outcome.${outcome}`)}
            </li>
          ))}
          {unnamedCount > 0 ? <li>{t('imports.apply.more', { count: unnamedCount })}</li> : null}
        </ul>
      )}
    </>
  );
}
