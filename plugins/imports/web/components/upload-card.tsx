import { observer } from 'mobx-react-lite';
import { Button, Field, MessageBar, MessageBarBody, ProgressBar } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { Navigation, useFormatFailure, useService, useText } from '#core/web';
import { importsAdmin } from '../../contract/index.ts';
import type { ImportKindInfo } from '../../contract/api.ts';
import type { ImportUpload } from '../stores/import-uploads.ts';
import { FilesField } from './files-field.tsx';
import { useImportSession } from '../stores/use-import-session.ts';

export interface UploadCardProps {
  readonly upload: ImportUpload;
  readonly kind: ImportKindInfo | undefined;
}

/** The progress of an upload. If it stopped: the reason, and its files to change and send again. */
export const UploadCard = observer(function UploadCard({ upload, kind }: UploadCardProps) {
  const t = useText();
  const styles = useAdminStyles();
  const formatFailure = useFormatFailure();
  const { uploads } = useImportSession();
  const { import: newImport, files, state, fraction, failure } = upload;
  const navigation = useService(Navigation);
  const cancel = (): void => {
    uploads.cancel(newImport.uid);
    navigation.goTo(importsAdmin, {});
  };
  const isSending = state === 'SENDING';
  return (
    <div className={styles.card}>
      {isSending ? (
        <Field label={fraction < 1 ? t('imports.upload.sending', { fraction }) : t('imports.upload.received')}>
          <ProgressBar {...(fraction < 1 ? { value: fraction } : {})} />
        </Field>
      ) : (
        <MessageBar intent={state === 'FAILED' ? 'error' : 'warning'} layout="multiline">
          <MessageBarBody>
            {state === 'FAILED' ? formatFailure(failure) : t('imports.upload.interrupted', { fraction })}
          </MessageBarBody>
        </MessageBar>
      )}
      {kind === undefined ? null : (
        <FilesField
          kind={kind}
          files={files}
          reportMissing={false}
          disabled={isSending}
          onChange={(changedFiles) => uploads.setFiles(newImport.uid, changedFiles)}
        />
      )}
      <div className={styles.actions}>
        {isSending ? null : (
          <Button
            appearance="primary"
            disabled={files.length === 0}
            onClick={() => void uploads.send(newImport, files)}
          >
            {t('imports.upload.again')}
          </Button>
        )}
        <Button onClick={cancel}>{t('imports.upload.cancel')}</Button>
      </div>
    </div>
  );
});
