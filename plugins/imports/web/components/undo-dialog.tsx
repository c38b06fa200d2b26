import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  LoadingState,
  makeStyles,
  mergeClasses,
  MessageBar,
  MessageBarBody,
  ResourceView,
} from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { HttpClient, useFormatFailure, useFormats, useResource, useService, useText } from '#core/web';
import type { Import, UndoReport } from '../../contract/api.ts';
import { undoImportRows } from '../stores/open-import.ts';
import { FindingText } from './finding-text.tsx';

export const resultColors = { SUCCESS: 'success', WARNING: 'warning', FAILED: 'danger', NONE: 'informative' } as const;

const useStyles = makeStyles({ text: { marginTop: 0, marginBottom: 0 } });

export interface UndoDialogProps {
  readonly undoneImport: Pick<Import, 'uid' | 'files' | 'createdAt'>;
  readonly kindTitle: string;
  /** Called after the import was undone. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Shows what undoing an import would change, undoes it, and shows the result. */
export const UndoDialog = observer(function UndoDialog({ undoneImport, kindTitle, onDone, onClose }: UndoDialogProps) {
  const { uid, files, createdAt } = undoneImport;
  const t = useText();
  const styles = useAdminStyles();
  const formats = useFormats();
  const formatFailure = useFormatFailure();
  const http = useService(HttpClient);
  const preview = useResource(() => undoImportRows(http, uid, true), [http, uid]);
  const [state, setState] = useState<{
    readonly busy: boolean;
    readonly failure?: unknown;
    readonly report?: UndoReport;
  }>({ busy: false });
  const undo = async (): Promise<void> => {
    setState({ busy: true });
    try {
      setState({ busy: false, report: await undoImportRows(http, uid, false) });
      onDone();
    } catch (failure) {
      setState({ busy: false, failure });
      void preview.load();
    }
  };
  const { busy, failure, report } = state;
  return (
    <Dialog open modalType="alert" onOpenChange={(_, { open }) => (open || busy ? undefined : onClose())}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{t(report ? 'imports.undo.doneTitle' : 'imports.undo.title')}</DialogTitle>
          <DialogContent className={styles.form}>
            <p className={styles.note}>
              {[kindTitle, ...files.map(({ name }) => name), formats.instant(createdAt)].join(' · ')}
            </p>
            {failure === undefined ? null : (
              <MessageBar intent="error" layout="multiline">
                <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
              </MessageBar>
            )}
            {report ? (
              <Report report={report} done />
            ) : (
              <ResourceView resource={preview} waiting={<LoadingState />}>
                {(value) => <Report report={value} done={false} />}
              </ResourceView>
            )}
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose} disabled={busy}>
              {t(report ? 'core.close' : 'imports.undo.keep')}
            </Button>
            {report ? null : (
              <Button
                appearance="primary"
                disabled={busy || preview.value === undefined || preview.value.reversed === 0}
                onClick={() => void undo()}
              >
                {t('imports.undo.action')}
              </Button>
            )}
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
});

function Report({ report, done }: { readonly report: UndoReport; readonly done: boolean }) {
  const t = useText();
  const styles = useAdminStyles();
  const dialogStyles = useStyles();
  const { counted, reversed, kept, blocked, rows } = report;
  const unnamedCount = kept + blocked - rows.length;
  return (
    <>
      <p role="status" className={dialogStyles.text}>
        {t(done ? 'imports.undo.did' : 'imports.undo.would', { counted, reversed, kept, blocked })}
      </p>
      {counted === 'ENTRIES' ? <p className={styles.note}>{t('imports.undo.entries')}</p> : null}
      {rows.length === 0 ? null : (
        <ul className={mergeClasses(styles.report, dialogStyles.text)} aria-label={t('imports.undo.rows')}>
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
