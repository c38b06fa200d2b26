import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, makeStyles, mergeClasses, MessageBar, MessageBarBody, useRestoreFocusTarget } from '#core/ui';
import { DescriptionList, useAdminStyles } from '#core/ui-data';
import { I18n, RouteLink, useFormatRefusal, useFormats, useService, useText } from '#core/web';
import { importWorkbench } from '../../../contract/index.ts';
import { getOutcome } from '../../stores/import-outcome.ts';
import { FindingList } from '../finding-list.tsx';
import { ImportJob } from '../import-job.tsx';
import { ImportReadings } from '../reading-notes.tsx';
import { ResultBadge } from '../result-badge.tsx';
import { RowCounts } from '../row-counts.tsx';
import { UndoDialog } from '../undo-dialog.tsx';
import { UndoReportText } from '../undo-report-text.tsx';
import type { StepProps } from './step-props.ts';

const useStyles = makeStyles({ badge: { justifySelf: 'start' }, actions: { alignItems: 'center' } });

const outcomeIntents = {
  SUCCESS: 'success',
  WARNING: 'warning',
  FAILED: 'error',
  UNDONE: 'info',
  UNDONE_IN_PART: 'warning',
} as const;

/** The result of an import: what was written, or why nothing was, and a button to undo it. */
export const DoneStep = observer(function DoneStep({ openImport, currentImport, kind }: StepProps) {
  const t = useText();
  const { language } = useService(I18n);
  const admin = useAdminStyles();
  const styles = useStyles();
  const formats = useFormats(currentImport.site ?? undefined);
  const formatRefusal = useFormatRefusal();
  const opener = useRestoreFocusTarget();
  const [isUndoing, setIsUndoing] = useState(false);
  const { phase, refusal, finishedAt, undone, undoReport, change } = currentImport;
  const outcome = getOutcome(currentImport) ?? 'SUCCESS';
  return (
    <div className={admin.card}>
      {phase === 'APPLYING' ? (
        <>
          <ImportJob openImport={openImport} currentImport={currentImport} />
          <p className={admin.note}>{t('imports.done.applying')}</p>
        </>
      ) : (
        <ResultBadge shownImport={currentImport} className={styles.badge} size="large" />
      )}
      {phase === 'DONE' ? (
        <MessageBar intent={outcomeIntents[outcome]} layout="multiline">
          <MessageBarBody>
            {(refusal && formatRefusal({ message: refusal.message, refusal })) ?? t(`imports.done.${outcome}`)}
          </MessageBarBody>
        </MessageBar>
      ) : null}
      {undoReport ? <UndoReportText report={undoReport} done /> : null}
      {phase === 'DONE' ? (
        <>
          <ImportReadings openImport={openImport} currentImport={currentImport} kind={kind} />
          <FindingList currentImport={currentImport} />
        </>
      ) : null}
      {phase === 'CANCELLED' ? <p>{t('imports.done.cancelled')}</p> : <RowCounts currentImport={currentImport} />}
      <DescriptionList
        items={[
          [t('imports.author'), currentImport.author.name],
          [t('imports.begun'), formats.instant(currentImport.createdAt)],
          ...(finishedAt === null ? [] : ([[t('imports.finished'), formats.instant(finishedAt)]] as const)),
          ...(phase === 'DONE'
            ? ([[t('imports.backup'), t(currentImport.backup ? 'imports.yes' : 'imports.no')]] as const)
            : []),
        ]}
      />
      <div className={mergeClasses(admin.actions, styles.actions)}>
        {change === null || undone || phase !== 'DONE' ? null : (
          <Button {...opener} onClick={() => setIsUndoing(true)}>
            {t('imports.undo.action')}
          </Button>
        )}
        <RouteLink to={importWorkbench} params={{ batch: 'new' }} search={`kind=${encodeURIComponent(kind.id)}`}>
          {t('imports.done.another')}
        </RouteLink>
      </div>
      {isUndoing ? (
        <UndoDialog
          undoneImport={currentImport}
          kindTitle={kind.title[language]}
          onDone={() => void openImport.load()}
          onClose={() => setIsUndoing(false)}
        />
      ) : null}
    </div>
  );
});
