import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, makeStyles, mergeClasses, tokens, useRestoreFocusTarget } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import { countErrors, sumRows } from '../../stores/import-steps.ts';
import { ApplyDialog } from '../apply-dialog.tsx';
import { CancelButton } from '../cancel-button.tsx';
import { FindingList } from '../finding-list.tsx';
import { ImportReadings } from '../reading-notes.tsx';
import { RowCounts } from '../row-counts.tsx';
import { RowsPanel } from '../rows-panel.tsx';
import type { StepProps } from './step-props.ts';

const useStyles = makeStyles({
  root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalL },
  actions: { alignItems: 'center' },
});

/** Shows what the import would change, row by row, with the button that applies it. */
export const PreviewStep = observer(function PreviewStep(props: StepProps) {
  const { openImport, currentImport } = props;
  const t = useText();
  const admin = useAdminStyles();
  const styles = useStyles();
  const opener = useRestoreFocusTarget();
  const [isAsking, setIsAsking] = useState(false);
  const errorCount = countErrors(currentImport);
  const changeCount =
    sumRows(currentImport, 'added') + sumRows(currentImport, 'changed') + sumRows(currentImport, 'removed');
  const disabledReason =
    errorCount > 0
      ? t('imports.preview.offErrors', { count: errorCount })
      : changeCount === 0 && !currentImport.followers.some(({ phase }) => phase === 'WAITING')
        ? t('imports.preview.offNothing')
        : undefined;
  const canApply = currentImport.phase === 'PREVIEW';
  return (
    <div className={styles.root}>
      <RowCounts currentImport={currentImport} />
      <ImportReadings openImport={openImport} currentImport={currentImport} kind={props.kind} />
      <FindingList currentImport={currentImport} />
      {canApply ? (
        <div className={mergeClasses(admin.actions, styles.actions)}>
          <Button
            {...opener}
            appearance="primary"
            disabledFocusable={disabledReason !== undefined}
            aria-describedby="imports-reason"
            onClick={() => setIsAsking(true)}
          >
            {t('imports.preview.import')}
          </Button>
          <CancelButton openImport={openImport} currentImport={currentImport} />
          <p id="imports-reason" className={admin.note}>
            {disabledReason ?? t('imports.preview.hint')}
          </p>
        </div>
      ) : null}
      <RowsPanel {...props} errorsFirst={false} />
      {isAsking ? <ApplyDialog {...props} onClose={() => setIsAsking(false)} /> : null}
    </div>
  );
});
