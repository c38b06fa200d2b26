import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, MessageBar, MessageBarBody, useRestoreFocusTarget } from '#core/ui';
import { DescriptionList, useAdminStyles } from '#core/ui-data';
import { useFormatFailure, useFormats, useText } from '#core/web';
import { replacesFile } from '../../../common/replaced-files.ts';
import { countCorrections } from '../../stores/import-steps.ts';
import { findMissingFiles } from '../../stores/missing-files.ts';
import { useFollowingWorkbooks } from '../../stores/use-following-workbooks.ts';
import { useImportParams } from '../../stores/use-import-params.ts';
import { CancelButton } from '../cancel-button.tsx';
import { DiscardDialog } from '../discard-dialog.tsx';
import { FileList } from '../file-list.tsx';
import { FileSheetsForm } from '../file-sheets-form.tsx';
import { FilesField } from '../files-field.tsx';
import { FollowingFiles } from '../following-files.tsx';
import { ImportJob } from '../import-job.tsx';
import { WorkbookButtons } from '../workbook-buttons.tsx';
import type { StepProps } from './step-props.ts';
import { useImportSession } from '../../stores/use-import-session.ts';

/** A change of the files, which discards the corrections of their rows. */
interface FileChange {
  /** Label of its button. */
  readonly action: string;
  readonly run: () => Promise<void>;
}

/** The files of an import. They can be replaced and removed until it is applied. */
export const FilesStep = observer(function FilesStep({ openImport, currentImport, kind, allKinds }: StepProps) {
  const t = useText();
  const styles = useAdminStyles();
  const formats = useFormats(currentImport.site ?? undefined);
  const params = useImportParams();
  const { uploads } = useImportSession();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [reportMissing, setReportMissing] = useState(false);
  const [removal, setRemoval] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const [pendingChange, setPendingChange] = useState<FileChange>();
  const opener = useRestoreFocusTarget();
  const formatFailure = useFormatFailure();
  const { uid, mode, site, phase, follows } = currentImport;
  const canSend = phase === 'FILES' || phase === 'WAITING' || phase === 'COLUMNS' || phase === 'PREVIEW';
  const following = useFollowingWorkbooks({ kind: kind.id, site: site ?? undefined, mode }, canSend ? allKinds : []);
  const replacements = files.flatMap((file) =>
    currentImport.files
      .filter(({ name }) => replacesFile(file.name, name))
      .map((formerFile) => ({ name: file.name, former: formerFile.name })),
  );
  const { cells, rows } = countCorrections(currentImport);
  const hasCorrections = cells + rows > 0;
  const remove = async (name: string): Promise<void> => {
    setRemoval({ busy: true });
    try {
      await openImport.removeFile(name);
      setRemoval({ busy: false });
    } catch (failure) {
      setRemoval({ busy: false, failure });
    }
  };
  const askOrRemove = (name: string): void => {
    if (hasCorrections)
      setPendingChange({ action: t('imports.files.removeShort'), run: () => openImport.removeFile(name) });
    else void remove(name);
  };
  const sendFollowers = (): void => {
    for (const follower of following.takeFollowingImports(uid)) void uploads.send(follower.import, follower.files);
  };
  const send = (): void => {
    sendFollowers();
    params.set({ step: undefined });
    void uploads.send(
      { uid, kind: kind.id, mode, ...(site === null ? {} : { site }), ...(follows === null ? {} : { follows }) },
      files,
    );
  };
  const askOrSend = (): void => {
    setReportMissing(true);
    if (files.length === 0 || findMissingFiles(kind, [...currentImport.files, ...files]).length > 0) sendFollowers();
    else if (hasCorrections) setPendingChange({ action: t('imports.files.upload'), run: async () => send() });
    else send();
  };
  return (
    <div className={styles.card}>
      <DescriptionList
        items={[
          [t('imports.author'), currentImport.author.name],
          [t('imports.begun'), formats.instant(currentImport.createdAt)],
          [t('imports.new.mode'), t(`imports.modeName.${mode}`)],
        ]}
      />
      {removal.failure === undefined ? null : (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{formatFailure(removal.failure)}</MessageBarBody>
        </MessageBar>
      )}
      {currentImport.files.length === 0 ? null : (
        <FileList
          label={t('imports.files.received')}
          files={currentImport.files}
          disabled={removal.busy}
          {...(canSend ? { onRemove: askOrRemove } : {})}
        />
      )}
      {phase === 'FILES' ? (
        <FileSheetsForm
          fileSheets={currentImport.fileSheets}
          kind={kind}
          onChoose={(fileSheets) =>
            openImport.readAgain({ version: currentImport.version, fileSheets: [...fileSheets] })
          }
        />
      ) : null}
      <ImportJob openImport={openImport} currentImport={currentImport} />
      {canSend ? (
        <>
          {phase === 'FILES' ? null : <p className={styles.note}>{t('imports.files.replace')}</p>}
          <FilesField
            kind={kind}
            files={files}
            reportMissing={reportMissing && currentImport.files.length === 0}
            onChange={setFiles}
          />
          {replacements.map(({ name, former }) => (
            <p key={`${name} ${former}`} className={styles.note} role="status">
              {t('imports.files.replaces', { name, former })}
            </p>
          ))}
          <FollowingFiles
            following={following}
            allKinds={allKinds}
            waitingKinds={currentImport.followers.filter((each) => each.phase === 'WAITING').map((each) => each.kind)}
            reportMissing={false}
          />
          <div>
            <WorkbookButtons kind={kind.id} site={site ?? undefined} disabled={false} />
          </div>
          <div className={styles.actions}>
            <Button
              {...opener}
              appearance="primary"
              disabled={files.length === 0 && !following.isAnyChosen()}
              onClick={askOrSend}
            >
              {t('imports.files.upload')}
            </Button>
            <CancelButton openImport={openImport} currentImport={currentImport} />
          </div>
        </>
      ) : (
        <div className={styles.actions}>
          <CancelButton openImport={openImport} currentImport={currentImport} />
        </div>
      )}
      {pendingChange ? (
        <DiscardDialog
          currentImport={currentImport}
          action={pendingChange.action}
          onConfirm={pendingChange.run}
          onClose={() => setPendingChange(undefined)}
        />
      ) : null}
    </div>
  );
});
