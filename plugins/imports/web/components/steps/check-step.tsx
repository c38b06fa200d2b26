import { observer } from 'mobx-react-lite';
import { useEffect, useId, useRef, useState } from 'react';
import { Button, makeStyles, MessageBar, MessageBarBody, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { I18n, useService, useText } from '#core/web';
import { countErrors } from '../../stores/import-steps.ts';
import { downloadFile } from '../../stores/download-file.ts';
import { useImportParams } from '../../stores/use-import-params.ts';
import { CancelButton } from '../cancel-button.tsx';
import { formatCorrections } from '../discard-dialog.tsx';
import { FindingList } from '../finding-list.tsx';
import { ImportJob } from '../import-job.tsx';
import { ProblemsPanel } from '../problems-panel.tsx';
import { ImportReadings } from '../reading-notes.tsx';
import { RenameOffer } from '../rename-offer.tsx';
import { RowCounts } from '../row-counts.tsx';
import { RowsPanel } from '../rows-panel.tsx';
import type { StepProps } from './step-props.ts';

const useStyles = makeStyles({
  root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalL },
});

/** Lists the findings by problem and by row. People fix them here, or in their own workbook. */
export const CheckStep = observer(function CheckStep(props: StepProps) {
  const { openImport, currentImport } = props;
  const t = useText();
  const admin = useAdminStyles();
  const styles = useStyles();
  const params = useImportParams();
  const { language } = useService(I18n);
  const [busy, setBusy] = useState(false);
  const continueButton = useRef<HTMLButtonElement>(null);
  const errorCount = countErrors(currentImport);
  // The server can mark errors only in workbooks.
  const hasWorkbook = currentImport.files.some(({ name }) => /\.xlsx$/i.test(name));
  const isChecking = currentImport.phase === 'CHECKING';
  const canDownload = hasWorkbook && errorCount > 0 && !isChecking;
  const corrections = canDownload ? formatCorrections(t, currentImport) : '';
  const correctionsId = useId();
  const isCorrecting = errorCount > 0 && !isChecking;
  // With the step in its URL, the page stays here when the last error is corrected.
  useEffect(() => {
    if (isCorrecting && params.get('step') !== 'check') params.set({ step: 'check' });
    // oxlint-disable-next-line react/exhaustive-deps -- `params` reads the URL when it is used
  }, [isCorrecting]);
  const download = async (): Promise<void> => {
    setBusy(true);
    try {
      downloadFile(await openImport.createErrorWorkbook(language));
    } catch (failure) {
      openImport.setFailure(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles.root}>
      <ImportJob openImport={openImport} currentImport={currentImport} />
      {isChecking ? null : errorCount > 0 ? (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>
            {t(hasWorkbook ? 'imports.check.hasErrors' : 'imports.check.hasErrorsInFile')}
          </MessageBarBody>
        </MessageBar>
      ) : (
        <MessageBar intent="success" layout="multiline">
          <MessageBarBody>{t('imports.check.noErrors')}</MessageBarBody>
        </MessageBar>
      )}
      <RowCounts currentImport={currentImport} />
      <ImportReadings openImport={openImport} currentImport={currentImport} kind={props.kind} />
      <FindingList currentImport={currentImport} />
      <div className={admin.actions}>
        <Button
          ref={(button: HTMLButtonElement | null) => {
            continueButton.current = button;
          }}
          appearance="primary"
          disabledFocusable={errorCount > 0 || isChecking}
          onClick={() => params.set({ step: 'preview', show: undefined, find: undefined }, { push: true })}
        >
          {t('imports.check.continue')}
        </Button>
        {hasWorkbook ? (
          <Button
            disabled={!canDownload || busy}
            aria-describedby={corrections === '' ? undefined : correctionsId}
            onClick={() => void download()}
          >
            {t('imports.check.download')}
          </Button>
        ) : null}
        <CancelButton openImport={openImport} currentImport={currentImport} />
      </div>
      {corrections === '' ? null : (
        <p id={correctionsId} className={admin.note}>
          {t('imports.check.downloadWithoutCorrections', { corrections })}
        </p>
      )}
      <RenameOffer openImport={openImport} />
      <ProblemsPanel key={currentImport.uid} {...props} onSolved={() => continueButton.current?.focus()} />
      <RowsPanel {...props} errorsFirst />
    </div>
  );
});
