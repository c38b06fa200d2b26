import { useEffect, useRef, useState } from 'react';
import { lengthUnits, mandatory, maxLength, type SourceChoice } from '#core';
import { Field, Input, ProgressBar, useForm } from '#core/ui';
import { FileChoice, FormDialog, UnitChoice } from '#core/ui-data';
import { HttpClient, sendFiles, useService, useText, useUnsavedWork } from '#core/web';

const unitChoices: readonly SourceChoice[] = ['FILE', ...lengthUnits];
const acceptedTypes = '.glb,.gltf,.ifc,.zip';

interface UploadDialogProps {
  readonly location: string;
  /** Name of the location, or of the model that is replaced. */
  readonly name: string;
  /** Uid of the model that gets a new version. Without it, a new model is created. */
  readonly model?: string;
  readonly onClose: () => void;
  readonly onSent: () => Promise<void>;
}

/** Uploads a model, or a new version of a model. Closing the dialog aborts the upload. */
export function UploadDialog({ location, name, model, onClose, onSent }: UploadDialogProps) {
  const t = useText();
  const http = useService(HttpClient);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [noFile, setNoFile] = useState<string>();
  const [unit, setUnit] = useState<SourceChoice>('FILE');
  const [progress, setProgress] = useState<number>();
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const form = useForm({
    initial: { name: '' },
    rules: { name: [maxLength(120)] },
    send: async ({ name: enteredName }) => {
      if (files.length === 0) return setNoFile(mandatory('')?.message);
      abort.current = new AbortController();
      setProgress(0);
      try {
        await sendFiles(http, `/api/model-3d/${encodeURIComponent(location)}/models`, files, {
          fields: { unit, ...(model === undefined ? { name: enteredName.trim() } : { model }) },
          signal: abort.current.signal,
          onProgress: setProgress,
        });
        onClose();
        void onSent();
      } finally {
        setProgress(undefined);
      }
    },
  });
  useUnsavedWork(form.busy, 'model-3d.upload');
  const close = (): void => {
    abort.current.abort();
    onClose();
  };
  return (
    <FormDialog
      title={t(model === undefined ? 'model-3d.admin.uploadTitle' : 'model-3d.admin.renewTitle', { name })}
      action={t('model-3d.admin.send')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={close}
    >
      <Field {...(noFile === undefined ? {} : { validationState: 'error', validationMessage: t(noFile) })}>
        <FileChoice
          files={files}
          accept={acceptedTypes}
          disabled={form.busy}
          hint={t('model-3d.admin.uploadHint')}
          onChange={(selectedFiles) => {
            setFiles(selectedFiles);
            setNoFile(undefined);
          }}
        />
      </Field>
      <UnitChoice
        value={unit}
        choices={unitChoices}
        hint={t('model-3d.admin.unitHint')}
        disabled={form.busy}
        onChange={setUnit}
      />
      {progress === undefined ? null : (
        <Field label={progress < 1 ? t('model-3d.admin.sending', { share: progress }) : t('model-3d.admin.checking')}>
          <ProgressBar {...(progress < 1 ? { value: progress } : {})} />
        </Field>
      )}
      {model === undefined ? (
        <Field label={t('model-3d.admin.name')} hint={t('model-3d.admin.nameHint')} {...form.field('name')}>
          <Input {...form.input('name')} />
        </Field>
      ) : (
        <p>{t('model-3d.admin.renewHint')}</p>
      )}
    </FormDialog>
  );
}
