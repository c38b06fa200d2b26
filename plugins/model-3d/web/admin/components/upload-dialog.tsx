import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { lengthUnits, mandatory, type SourceChoice } from '#core';
import { Field, ProgressBar, useForm } from '#core/ui';
import { FileChoice, FormDialog, UnitChoice } from '#core/ui-data';
import { HttpClient, sendFiles, useService, useText, useUnsavedWork } from '#core/web';
import { ModelUploadStore } from '../stores/model-upload-store.ts';
import { UploadList } from './upload-list.tsx';

const unitChoices: readonly SourceChoice[] = ['FILE', ...lengthUnits];
const acceptedTypes = '.glb,.gltf,.ifc,.zip';

interface UploadDialogProps {
  readonly location: string;
  /** Name of the location. */
  readonly name: string;
  readonly onClose: () => void;
  readonly onSent: () => Promise<void>;
}

/** Uploads models, one per file. The dialog stays open for files that failed. Closing it aborts the upload. */
export const UploadDialog = observer(function UploadDialog({ location, name, onClose, onSent }: UploadDialogProps) {
  const t = useText();
  const http = useService(HttpClient);
  const [uploadStore] = useState(() => new ModelUploadStore());
  const [fileError, setFileError] = useState<string>();
  const [unit, setUnit] = useState<SourceChoice>('FILE');
  const { createAbortController, close } = useUploadAbort(onClose);
  const form = useForm({
    initial: {},
    rules: {},
    send: async () => {
      if (uploadStore.uploads.length === 0) return setFileError(mandatory('')?.message);
      const { signal } = createAbortController();
      await uploadStore.send(http, { location, lengthUnit: unit, signal, onSent: () => void onSent() });
      if (uploadStore.failed.length === 0 && !signal.aborted) onClose();
    },
  });
  useUnsavedWork(form.busy, 'model-3d.upload');
  const { progress, failed } = uploadStore;
  return (
    <FormDialog
      title={t('model-3d.admin.uploadTitle', { name })}
      action={t(failed.length > 0 ? 'model-3d.admin.sendRest' : 'model-3d.admin.send')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={close}
    >
      <Field {...toFileError(fileError, t)}>
        <FileChoice
          files={[]}
          multiple
          accept={acceptedTypes}
          disabled={form.busy}
          hint={t('model-3d.admin.uploadHint')}
          onChange={(files) => {
            uploadStore.add(files);
            setFileError(undefined);
          }}
        />
      </Field>
      {uploadStore.uploads.length === 0 ? null : <UploadList uploadStore={uploadStore} busy={form.busy} />}
      <div role="status">
        {failed.length > 0 && !form.busy ? t('model-3d.admin.failed', { count: failed.length }) : ''}
      </div>
      <UnitChoice
        value={unit}
        choices={unitChoices}
        hint={t('model-3d.admin.unitHint')}
        disabled={form.busy}
        onChange={setUnit}
      />
      <SendProgress progress={progress} />
    </FormDialog>
  );
});

interface RenewDialogProps extends UploadDialogProps {
  /** Uid of the model. `name` is its name. */
  readonly model: string;
}

/** Uploads a new version of a model. Closing the dialog aborts the upload. */
export function RenewDialog({ location, name, model, onClose, onSent }: RenewDialogProps) {
  const t = useText();
  const http = useService(HttpClient);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [fileError, setFileError] = useState<string>();
  const [unit, setUnit] = useState<SourceChoice>('FILE');
  const [progress, setProgress] = useState<number>();
  const { createAbortController, close } = useUploadAbort(onClose);
  const form = useForm({
    initial: {},
    rules: {},
    send: async () => {
      if (files.length === 0) return setFileError(mandatory('')?.message);
      setProgress(0);
      try {
        await sendFiles(http, `/api/model-3d/${encodeURIComponent(location)}/models`, files, {
          fields: { unit, model },
          signal: createAbortController().signal,
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
  return (
    <FormDialog
      title={t('model-3d.admin.renewTitle', { name })}
      action={t('model-3d.admin.send')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={close}
    >
      <Field {...toFileError(fileError, t)}>
        <FileChoice
          files={files}
          accept={acceptedTypes}
          disabled={form.busy}
          hint={t('model-3d.admin.renewFileHint')}
          onChange={(selectedFiles) => {
            setFiles(selectedFiles);
            setFileError(undefined);
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
      <SendProgress progress={progress} />
      <p>{t('model-3d.admin.renewHint')}</p>
    </FormDialog>
  );
}

const toFileError = (message: string | undefined, t: (id: string) => string) =>
  message === undefined ? {} : ({ validationState: 'error', validationMessage: t(message) } as const);

/** Aborts the upload when the dialog closes. `createAbortController` must be called for each upload. */
function useUploadAbort(onClose: () => void) {
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  return {
    createAbortController: (): AbortController => (controller.current = new AbortController()),
    close: (): void => {
      controller.current.abort();
      onClose();
    },
  };
}

function SendProgress({ progress }: { readonly progress: number | undefined }) {
  const t = useText();
  return progress === undefined ? null : (
    <Field label={progress < 1 ? t('model-3d.admin.sending', { fraction: progress }) : t('model-3d.admin.checking')}>
      <ProgressBar {...(progress < 1 ? { value: progress } : {})} />
    </Field>
  );
}
