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
  MessageBar,
  MessageBarBody,
  ResourceView,
} from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { HttpClient, useFormatFailure, useFormats, useResource, useService, useText } from '#core/web';
import type { Import, UndoReport } from '../../contract/api.ts';
import { undoImportRows } from '../stores/open-import.ts';
import { UndoReportText } from './undo-report-text.tsx';

export interface UndoDialogProps {
  readonly undoneImport: Pick<Import, 'uid' | 'site' | 'files' | 'createdAt'>;
  readonly kindTitle: string;
  /** Called after the import was undone. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Shows what undoing an import would change, undoes it, and shows the result. */
export const UndoDialog = observer(function UndoDialog({ undoneImport, kindTitle, onDone, onClose }: UndoDialogProps) {
  const { uid, site, files, createdAt } = undoneImport;
  const t = useText();
  const styles = useAdminStyles();
  const formats = useFormats(site ?? undefined);
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
  const reportTitle = report?.reversed === 0 ? 'imports.undo.nothingTitle' : 'imports.undo.doneTitle';
  return (
    <Dialog open modalType="alert" onOpenChange={(_, { open }) => (open || busy ? undefined : onClose())}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{t(report ? reportTitle : 'imports.undo.title')}</DialogTitle>
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
              <UndoReportText report={report} done />
            ) : (
              <ResourceView resource={preview} waiting={<LoadingState />}>
                {(value) => <UndoReportText report={value} done={false} />}
              </ResourceView>
            )}
          </DialogContent>
          <DialogActions fluid>
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
