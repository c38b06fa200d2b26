import { useEffect, useRef, useState } from 'react';
import { lengthUnits, mandatory, maxLength, type SourceChoice } from '#core';
import { Field, Input, ProgressBar, useForm } from '#core/ui';
import { FileChoice, FormDialog, UnitChoice } from '#core/ui-data';
import { HttpClient, sendFiles, useService, useText, useUnsavedWork } from '#core/web';

const unitChoices: readonly SourceChoice[] = ['FILE', ...lengthUnits];
const accepted = '.glb,.gltf,.ifc,.zip';

interface UploadDialogProps {
  readonly location: string;
  /** Name of the location, or of the model that is replaced. */
  readonly name: string;
  /** Uid of the model that the file is a new version of. */
  readonly model?: string;
  readonly onClose: () => void;
  readonly onSent: () => Promise<void>;
}

/** Uploads a model, or a new version of one. Closing it aborts the upload. */
export function UploadDialog({ location, name, model, onClose, onSent }: UploadDialogProps) {
  const t = useText();
  const http = useService(HttpClient);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [noFile, setNoFile] = useState<string>();
  const [unit, setUnit] = useState<SourceChoice>('FILE');
  const [share, setShare] = useState<number>();
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const form = useForm({
    initial: { name: '' },
    rules: { name: [maxLength(120)] },
    send: async ({ name: typed }) => {
      if (files.length === 0) return setNoFile(mandatory('')?.message);
      abort.current = new AbortController();
      setShare(0);
      try {
        await sendFiles(http, `/api/model-3d/${encodeURIComponent(location)}/models`, files, {
          fields: { unit, ...(model === undefined ? { name: typed.trim() } : { model }) },
          signal: abort.current.signal,
          onProgress: setShare,
        });
        onClose();
        void onSent();
      } finally {
        setShare(undefined);
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
          accept={accepted}
          disabled={form.busy}
          hint={t('model-3d.admin.uploadHint')}
          onChange={(chosen) => {
            setFiles(chosen);
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
      {share === undefined ? null : (
        <Field label={share < 1 ? t('model-3d.admin.sending', { share }) : t('model-3d.admin.checking')}>
          <ProgressBar {...(share < 1 ? { value: share } : {})} />
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
