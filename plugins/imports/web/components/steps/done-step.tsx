import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Badge, Button, makeStyles, mergeClasses, MessageBar, MessageBarBody, useRestoreFocusTarget } from '#core/ui';
import { DescriptionList, useAdminStyles } from '#core/ui-data';
import { RouteLink, useFormatRefusal, useFormats, useText } from '#core/web';
import { importWorkbench } from '../../../contract/index.ts';
import { FindingList } from '../finding-list.tsx';
import { ImportJob } from '../import-job.tsx';
import { ImportReadings } from '../reading-notes.tsx';
import { RowCounts } from '../row-counts.tsx';
import { resultColors, UndoDialog } from '../undo-dialog.tsx';
import type { StepProps } from './step-props.ts';

const useStyles = makeStyles({ badge: { justifySelf: 'start' }, actions: { alignItems: 'center' } });

/** The result of an import: what was written, why not, and taking it back. */
export const DoneStep = observer(function DoneStep({ openImport, value, kind }: StepProps) {
  const t = useText();
  const admin = useAdminStyles();
  const styles = useStyles();
  const formats = useFormats(value.site ?? undefined);
  const formatRefusal = useFormatRefusal();
  const opener = useRestoreFocusTarget();
  const [undoing, setUndoing] = useState(false);
  const { phase, result, refusal, finishedAt, undone, change } = value;
  return (
    <div className={admin.card}>
      {phase === 'APPLYING' ? (
        <>
          <ImportJob openImport={openImport} value={value} />
          <p className={admin.note}>{t('imports.done.applying')}</p>
        </>
      ) : (
        <Badge
          className={styles.badge}
          appearance="tint"
          size="large"
          color={undone ? 'informative' : resultColors[result ?? 'NONE']}
        >
          {t(undone ? 'imports.result.UNDONE' : `imports.result.${result ?? phase}`)}
        </Badge>
      )}
      {phase === 'DONE' ? (
        <MessageBar
          intent={undone ? 'info' : result === 'FAILED' ? 'error' : result === 'WARNING' ? 'warning' : 'success'}
          layout="multiline"
        >
          <MessageBarBody>
            {(refusal ? formatRefusal({ message: refusal.message, refusal }) : undefined) ??
              t(undone ? 'imports.done.undone' : `imports.done.${result ?? 'SUCCESS'}`)}
          </MessageBarBody>
        </MessageBar>
      ) : null}
      {phase === 'DONE' ? (
        <>
          <ImportReadings value={value} kind={kind} />
          <FindingList value={value} />
        </>
      ) : null}
      {phase === 'CANCELLED' ? <p>{t('imports.done.cancelled')}</p> : <RowCounts value={value} />}
      <DescriptionList
        items={[
          [t('imports.author'), value.author.name],
          [t('imports.begun'), formats.instant(value.createdAt)],
          ...(finishedAt === null ? [] : ([[t('imports.finished'), formats.instant(finishedAt)]] as const)),
          ...(phase === 'DONE'
            ? ([[t('imports.backup'), t(value.backup ? 'imports.yes' : 'imports.no')]] as const)
            : []),
        ]}
      />
      <div className={mergeClasses(admin.actions, styles.actions)}>
        {change === null || undone || phase !== 'DONE' ? null : (
          <Button {...opener} onClick={() => setUndoing(true)}>
            {t('imports.undo.action')}
          </Button>
        )}
        <RouteLink to={importWorkbench} params={{ batch: 'new' }} search={`kind=${encodeURIComponent(kind.id)}`}>
          {t('imports.done.another')}
        </RouteLink>
      </div>
      {undoing ? (
        <UndoDialog uid={value.uid} onDone={() => void openImport.load()} onClose={() => setUndoing(false)} />
      ) : null}
    </div>
  );
});
