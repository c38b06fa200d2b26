import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { mandatory, maxLength, noonAt, sourceChoices, type LocationNode, type SourceChoice } from '#core';
import { Checkbox, Field, Input, ProgressBar, useForm } from '#core/ui';
import { FileChoice, FormDialog, PoseFields, UnitChoice } from '#core/ui-data';
import {
  HttpClient,
  type Pose,
  buildPoseRules,
  sendFiles,
  useFormats,
  useService,
  useText,
  useUnsavedWork,
} from '#core/web';
import { FileSystems } from './file-systems.tsx';

const acceptedExtensions = '.e57,.las,.laz,.zip';
const origin: Pose = { position: [0, 0, 0], heading: 0 };
const initial = { name: '', day: '', stations: true, place: origin };

interface UploadDialogProps {
  readonly location: LocationNode;
  readonly onClose: () => void;
  readonly onSent: () => Promise<void>;
}

/** Uploads scan files. Closing the dialog aborts the upload. */
export const UploadDialog = observer(function UploadDialog({ location, onClose, onSent }: UploadDialogProps) {
  const t = useText();
  const http = useService(HttpClient);
  const { timeZone } = useFormats(location.uid);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [fileError, setFileError] = useState<string>();
  const [unit, setUnit] = useState<SourceChoice>('FILE');
  const [progress, setProgress] = useState<number>();
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const form = useForm({
    initial,
    rules: { name: [maxLength(120)], day: [], ...buildPoseRules('place.') },
    send: async ({ name, day, stations, place }) => {
      if (files.length === 0) return setFileError(mandatory('')?.message);
      abort.current = new AbortController();
      setProgress(0);
      try {
        await sendFiles(http, `/api/scan/${encodeURIComponent(location.uid)}/clouds`, files, {
          query: {
            name: name.trim() || toDefaultName(files[0]!),
            ...(day === '' ? {} : { capturedAt: noonAt(day, timeZone).toISOString() }),
          },
          fields: { place: JSON.stringify(place), stations: String(stations), unit },
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
  useUnsavedWork(form.busy, 'scan.upload');
  const close = (): void => {
    abort.current.abort();
    onClose();
  };
  const isSending = progress !== undefined;
  return (
    <FormDialog
      title={t('scan.admin.uploadTitle', { name: location.name })}
      action={t('scan.admin.send')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={close}
    >
      <Field {...(fileError === undefined ? {} : { validationState: 'error', validationMessage: t(fileError) })}>
        <FileChoice
          files={files}
          multiple
          accept={acceptedExtensions}
          disabled={form.busy}
          hint={t('scan.admin.uploadHint')}
          onChange={(selectedFiles) => {
            setFiles(selectedFiles);
            setFileError(undefined);
          }}
        />
      </Field>
      <FileSystems files={files} location={location.uid} />
      <UnitChoice
        value={unit}
        choices={sourceChoices}
        hint={t('scan.admin.unitHint')}
        disabled={form.busy}
        onChange={setUnit}
      />
      {isSending ? (
        <Field label={progress < 1 ? t('scan.admin.sending', { fraction: progress }) : t('scan.admin.checking')}>
          <ProgressBar {...(progress < 1 ? { value: progress } : {})} />
        </Field>
      ) : null}
      <Field label={t('scan.admin.name')} hint={t('scan.admin.nameHint')} {...form.field('name')}>
        <Input {...form.input('name')} />
      </Field>
      <Field
        label={t('scan.admin.captured')}
        hint={t('scan.admin.capturedHint', { zone: timeZone })}
        {...form.field('day')}
      >
        <Input type="date" {...form.input('day')} />
      </Field>
      <Checkbox {...form.checkbox('stations')} label={t('scan.admin.makeStations')} />
      <PoseFields
        input={(path) => form.number(`place.${path}`)}
        field={(path) => form.field(`place.${path}`)}
        hint={t('scan.admin.placeDeliveryHint')}
      />
    </FormDialog>
  );
});

const toDefaultName = (file: File): string =>
  file.name.replace(/(\.copc)?\.[^.]+$/, '').slice(0, 120) || file.name.slice(0, 120);
