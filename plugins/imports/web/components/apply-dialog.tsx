import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Checkbox, Field, LoadingState, MessageBar, MessageBarBody, Radio, RadioGroup, ResourceView } from '#core/ui';
import { ConfirmDialog, useAdminStyles } from '#core/ui-data';
import { ApiError, HttpClient, I18n, usePluginSettings, useResource, useService, useText } from '#core/web';
import type { ImportKindInfo, listImportRows } from '../../contract/api.ts';
import type manifest from '../../plugin.ts';
import { formatRowName } from '../stores/format-row-name.ts';
import { sumRows } from '../stores/import-steps.ts';
import { useImportParams } from '../stores/use-import-params.ts';
import type { StepProps } from './steps/step-props.ts';

/** Number of names that are listed; the others are counted. */
const maxNames = 200;
/** Fewer rows are written within seconds. */
const minSlowRows = 10_000;

/** Confirms an import (requirement IMP-03): asks for a backup, warns of the logout, and lists rows to be removed. */
export const ApplyDialog = observer(function ApplyDialog({
  openImport,
  currentImport,
  kind,
  onClose,
}: StepProps & { readonly onClose: () => void }) {
  const t = useText();
  const { language } = useService(I18n);
  const params = useImportParams();
  const { endSessions } = usePluginSettings<typeof manifest>();
  const [backupChoice, setBackupChoice] = useState('');
  const [removesRows, setRemovesRows] = useState(false);
  // The version when the dialog opened: the server refuses if the import was changed since.
  const [version] = useState(currentImport.version);
  const removedCount = sumRows(currentImport, 'removed');
  const hasFollowers = currentImport.followers.some(({ phase }) => phase === 'WAITING');
  const writtenCount = sumRows(currentImport, 'added') + sumRows(currentImport, 'changed');
  const slowRowCount = writtenCount + (removesRows ? removedCount : 0);
  const apply = async (): Promise<void> => {
    try {
      await openImport.apply({ version, remove: removesRows, backup: backupChoice === 'now' });
      params.set({ step: undefined, show: undefined, find: undefined, sheet: undefined }, { push: true });
    } catch (failure) {
      // Somebody has changed the import: the preview behind the dialog shows its current state.
      if (!(failure instanceof ApiError) || failure.status !== 409) throw failure;
      openImport.setFailure(failure);
    }
  };
  return (
    <ConfirmDialog
      title={t('imports.apply.title', { count: writtenCount })}
      message={t(endSessions ? 'imports.apply.caution' : 'imports.apply.cautionBackup')}
      action={t('imports.preview.import')}
      blocked={backupChoice === '' || (writtenCount === 0 && !removesRows && !hasFollowers)}
      onConfirm={apply}
      onClose={onClose}
    >
      {currentImport.blocksOthers && slowRowCount >= minSlowRows ? (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{t('imports.apply.blocksOthers', { count: slowRowCount })}</MessageBarBody>
        </MessageBar>
      ) : null}
      {kind.sideEffect && writtenCount > 0 ? (
        <MessageBar intent="info" layout="multiline">
          <MessageBarBody>{kind.sideEffect[language]}</MessageBarBody>
        </MessageBar>
      ) : null}
      <Field label={t('imports.apply.backup')} required>
        <RadioGroup value={backupChoice} onChange={(_, data) => setBackupChoice(data.value)}>
          <Radio value="now" label={t('imports.apply.backupNow')} />
          <Radio value="have" label={t('imports.apply.haveBackup')} />
        </RadioGroup>
      </Field>
      {removedCount === 0 ? null : (
        <>
          <Checkbox
            checked={removesRows}
            label={t('imports.apply.remove', { count: removedCount })}
            onChange={(_, { checked }) => setRemovesRows(checked === true)}
          />
          <RemovedRows batch={currentImport.uid} kind={kind} removedCount={removedCount} />
        </>
      )}
    </ConfirmDialog>
  );
});

interface RemovedRowsProps {
  readonly batch: string;
  readonly kind: ImportKindInfo;
  readonly removedCount: number;
}

const RemovedRows = observer(function RemovedRows({ batch, kind, removedCount }: RemovedRowsProps) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const { language } = useService(I18n);
  const rows = useResource(
    (signal) =>
      http.call<typeof listImportRows>(
        'GET',
        '/api/imports/:batch/rows',
        { params: { batch }, query: { state: 'REMOVED', offset: 0, limit: maxNames } },
        { signal },
      ),
    [http, batch],
  );
  return (
    <details>
      <summary className={styles.summary}>{t('imports.apply.removedNames', { count: removedCount })}</summary>
      <ResourceView resource={rows} waiting={<LoadingState />}>
        {(page) => (
          <ul className={styles.report}>
            {page.rows.map((row) => (
              <li key={row.id}>{formatRowName(row, kind, language)}</li>
            ))}
            {page.total > page.rows.length ? (
              <li>{t('imports.apply.more', { count: page.total - page.rows.length })}</li>
            ) : null}
          </ul>
        )}
      </ResourceView>
    </details>
  );
});
