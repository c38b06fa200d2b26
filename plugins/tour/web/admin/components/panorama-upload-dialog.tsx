import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { dayAt, mandatory, max, min, noonAt, number } from '#core';
import { Checkbox, Field, Input, MessageBar, MessageBarBody, ProgressBar, useForm } from '#core/ui';
import { FileChoice, FormDialog } from '#core/ui-data';
import { HttpClient, sendFiles, useFormats, useService, useText, useUnsavedWork } from '#core/web';

interface PanoramaUploadDialogProps {
  readonly title: string;
  readonly location: string;
  /** Uid of the node. */
  readonly node: string;
  /** Whether the pose of the viewpoint has a tilt, by which a picture without a tilt of its own is levelled. */
  readonly hasPosedTilt: boolean;
  readonly onClose: () => void;
  readonly onSent: () => Promise<void>;
}

const acceptedTypes = '.jpg,.jpeg,.png,.webp';
const initial: { readonly day: string; readonly heading: number | undefined } = { day: '', heading: undefined };

/** Uploads a panorama of one node. Closing the dialog aborts the upload. */
export const PanoramaUploadDialog = observer(function PanoramaUploadDialog({
  title,
  location,
  node,
  hasPosedTilt,
  onClose,
  onSent,
}: PanoramaUploadDialogProps) {
  const t = useText();
  const http = useService(HttpClient);
  const { timeZone } = useFormats(location);
  const isPastOrToday = (day: string): boolean => day <= dayAt(new Date(), timeZone);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [fileError, setFileError] = useState<string>();
  const [fraction, setFraction] = useState<number>();
  const [shouldLevel, setShouldLevel] = useState(true);
  const [unchangedCount, setUnchangedCount] = useState(0);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const form = useForm({
    initial,
    rules: {
      day: [mandatory, (day: string) => (isPastOrToday(day) ? undefined : { message: 'tour.panoramas.dayAhead' })],
      heading: [number, min(-360), max(360)],
    },
    send: async ({ day, heading }) => {
      if (files.length === 0) return setFileError(mandatory('')?.message);
      abort.current = new AbortController();
      setFraction(0);
      setUnchangedCount(0);
      try {
        const reply = await sendFiles<{ readonly jobs: readonly string[]; readonly unchanged: readonly string[] }>(
          http,
          `/api/tour/${encodeURIComponent(location)}/panoramas`,
          files,
          {
            query: {
              capturedAt: noonAt(day, timeZone).toISOString(),
              node,
              ...(heading === undefined ? {} : { heading: String(heading) }),
              ...(shouldLevel ? {} : { pitch: '0', roll: '0' }),
            },
            signal: abort.current.signal,
            onProgress: setFraction,
          },
        );
        if (reply.jobs.length === 0) return setUnchangedCount(reply.unchanged.length);
        onClose();
        void onSent();
      } finally {
        setFraction(undefined);
      }
    },
  });
  useUnsavedWork(form.busy, 'tour.panoramas');
  const close = (): void => {
    abort.current.abort();
    onClose();
  };
  return (
    <FormDialog
      title={title}
      action={t('tour.panoramas.send')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={close}
    >
      {unchangedCount === 0 ? null : (
        <MessageBar intent="info" layout="multiline">
          <MessageBarBody>{t('tour.panoramas.unchanged', { count: unchangedCount })}</MessageBarBody>
        </MessageBar>
      )}
      <Field {...(fileError === undefined ? {} : { validationState: 'error', validationMessage: t(fileError) })}>
        <FileChoice
          files={files}
          accept={acceptedTypes}
          disabled={form.busy}
          hint={t('tour.panoramas.oneHint')}
          onChange={(chosenFiles) => {
            setFiles(chosenFiles);
            setFileError(undefined);
          }}
        />
      </Field>
      {fraction === undefined ? null : (
        <Field label={fraction < 1 ? t('tour.panoramas.sending', { fraction }) : t('tour.panoramas.checking')}>
          <ProgressBar {...(fraction < 1 ? { value: fraction } : {})} />
        </Field>
      )}
      <Field
        label={t('tour.panoramas.day')}
        hint={t('tour.panoramas.dayHint', { zone: timeZone })}
        required
        {...form.field('day')}
      >
        <Input type="date" {...form.input('day')} />
      </Field>
      <Field label={t('tour.panoramas.heading')} hint={t('tour.panoramas.headingHint')} {...form.field('heading')}>
        <Input inputMode="decimal" {...form.number('heading')} />
      </Field>
      {hasPosedTilt ? (
        <Field hint={t('tour.batch.levelsHint')}>
          <Checkbox
            label={t('tour.batch.levels', { count: 1 })}
            checked={shouldLevel}
            onChange={(_, { checked }) => setShouldLevel(checked === true)}
          />
        </Field>
      ) : null}
    </FormDialog>
  );
});
