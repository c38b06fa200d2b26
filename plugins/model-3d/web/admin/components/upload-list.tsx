import { observer } from 'mobx-react-lite';
import { formatBytes } from '#core';
import { Badge, Button, Field, Input, makeStyles, tokens } from '#core/ui';
import { I18n, useFormatFailure, useService, useText } from '#core/web';
import type { ModelUpload, ModelUploadStore } from '../stores/model-upload-store.ts';

const useStyles = makeStyles({
  list: { display: 'grid', gap: tokens.spacingVerticalM, margin: 0, padding: 0, listStyleType: 'none' },
  row: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    gap: tokens.spacingHorizontalM,
    alignItems: 'end',
  },
  field: { minWidth: 0, gridTemplateColumns: 'minmax(0, 1fr)', overflowWrap: 'anywhere' },
  state: { minHeight: '32px', display: 'flex', alignItems: 'center' },
});

interface UploadListProps {
  readonly uploadStore: ModelUploadStore;
  readonly busy: boolean;
}

/** Lists the files of an upload with the names of their models and their states. */
export const UploadList = observer(function UploadList({ uploadStore, busy }: UploadListProps) {
  const styles = useStyles();
  const t = useText();
  return (
    <ul className={styles.list} aria-label={t('model-3d.admin.files')}>
      {uploadStore.uploads.map((upload) => (
        <li key={`${upload.file.name} ${upload.file.size} ${upload.file.lastModified}`} className={styles.row}>
          <NameField
            upload={upload}
            disabled={busy || upload.state === 'SENT'}
            onChange={(name) => uploadStore.rename(upload.file, name)}
          />
          {upload.state === 'WAITING' || upload.state === 'FAILED' ? (
            <Button
              disabledFocusable={busy}
              aria-label={t('model-3d.admin.removeFile', { name: upload.file.name })}
              onClick={() => uploadStore.remove(upload.file)}
            >
              {t('model-3d.rules.remove')}
            </Button>
          ) : (
            <span className={styles.state}>
              <Badge appearance="tint" color={upload.state === 'SENT' ? 'success' : 'informative'}>
                {t(`model-3d.admin.upload.${upload.state}`)}
              </Badge>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
});

interface NameFieldProps {
  readonly upload: ModelUpload;
  readonly disabled: boolean;
  readonly onChange: (name: string) => void;
}

function NameField({ upload: { file, name, state, failure }, disabled, onChange }: NameFieldProps) {
  const styles = useStyles();
  const t = useText();
  const { language } = useService(I18n);
  const formatFailure = useFormatFailure();
  return (
    <Field
      label={t('model-3d.admin.nameOf', { file: file.name, size: formatBytes(file.size, { language }) })}
      className={styles.field}
      {...(state === 'FAILED' ? { validationState: 'error', validationMessage: formatFailure(failure) } : {})}
    >
      <Input
        value={name}
        maxLength={120}
        disabled={disabled}
        autoComplete="off"
        onChange={(_, { value }) => onChange(value)}
      />
    </Field>
  );
}
