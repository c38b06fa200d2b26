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

/** What the import would do, row by row, and the decision. */
export const PreviewStep = observer(function PreviewStep(props: StepProps) {
  const { openImport, value } = props;
  const t = useText();
  const admin = useAdminStyles();
  const styles = useStyles();
  const opener = useRestoreFocusTarget();
  const [asking, setAsking] = useState(false);
  const errors = countErrors(value);
  const changes = sumRows(value, 'added') + sumRows(value, 'changed') + sumRows(value, 'removed');
  const reason =
    errors > 0
      ? t('imports.preview.offErrors', { count: errors })
      : changes === 0 && !value.followers.some(({ phase }) => phase === 'WAITING')
        ? t('imports.preview.offNothing')
        : undefined;
  const isOpen = value.phase === 'PREVIEW';
  return (
    <div className={styles.root}>
      <RowCounts value={value} />
      <ImportReadings value={value} kind={props.kind} />
      <FindingList value={value} />
      {isOpen ? (
        <div className={mergeClasses(admin.actions, styles.actions)}>
          <Button
            {...opener}
            appearance="primary"
            disabledFocusable={reason !== undefined}
            aria-describedby="imports-reason"
            onClick={() => setAsking(true)}
          >
            {t('imports.preview.import')}
          </Button>
          <CancelButton openImport={openImport} value={value} />
          <p id="imports-reason" className={admin.note}>
            {reason ?? t('imports.preview.hint')}
          </p>
        </div>
      ) : null}
      <RowsPanel {...props} errorsFirst={false} />
      {asking ? <ApplyDialog {...props} onClose={() => setAsking(false)} /> : null}
    </div>
  );
});
