import { observer } from 'mobx-react-lite';
import { useEffect, useState, type FormEvent } from 'react';
import { dayAt } from '#core';
import { Checkbox, Field, Input, MessageBar, MessageBarBody, ProgressBar } from '#core/ui';
import { FileChoice, FormDialog, useAdminStyles } from '#core/ui-data';
import { Access, HttpClient, Sites, useService, useText, useUnsavedWork } from '#core/web';
import type { NodePanoramas } from '../../../../contract/api/admin.ts';
import { PanoramaBatch } from '../../stores/batch/panorama-batch.ts';
import { BatchTable } from './batch-table.tsx';
import { CreateViewpoints } from './create-viewpoints.tsx';

export interface PanoramaBatchDialogProps {
  readonly title: string;
  readonly location: string;
  readonly nodes: readonly NodePanoramas[];
  readonly onClose: () => void;
  readonly onSent: () => Promise<void>;
}

const acceptedTypes = '.jpg,.jpeg,.png,.webp';

/** Uploads panoramas after the person has checked their viewpoints. */
export const PanoramaBatchDialog = observer(function PanoramaBatchDialog({
  title,
  location,
  nodes,
  onClose,
  onSent,
}: PanoramaBatchDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const access = useService(Access);
  const { timeZone, frame } = useService(Sites).recordAt(location);
  const [batch] = useState(() => new PanoramaBatch(http, { location, timeZone, rotation: frame.rotation }, nodes));
  const [isRefused, setRefused] = useState(false);
  useEffect(() => () => batch.stop(), [batch]);
  useEffect(() => batch.set({ nodes }), [batch, nodes]);
  useUnsavedWork(batch.isSending, 'tour.panoramas');

  const { files, sendableFiles } = batch;
  const hasSent = files.some(({ isSent }) => isSent);
  const countWithoutTime = files.filter(({ metadata }) => metadata.localTime === undefined).length;
  const countWithHeading = files.filter(({ metadata }) => metadata.heading !== undefined).length;
  const assignedCount = files.filter(({ assignment }) => assignment).length;

  const close = (): void => {
    batch.stop();
    onClose();
    if (hasSent) void onSent();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (batch.isSending) return batch.stop();
    setRefused(sendableFiles.length === 0);
    if (sendableFiles.length === 0 || batch.isReading) return;
    await batch.send();
    if (batch.files.every(({ uploadState }) => uploadState === 'SENT')) {
      onClose();
      void onSent();
    }
  };
  return (
    <FormDialog
      wide
      title={title}
      action={batch.isSending ? t('tour.batch.stop') : t('tour.batch.upload', { count: sendableFiles.length })}
      {...(hasSent ? { dismissal: t('core.close') } : {})}
      busy={false}
      failure={batch.failure}
      onSubmit={(event) => void submit(event)}
      onClose={close}
    >
      {isRefused && sendableFiles.length === 0 ? (
        <div role="alert">
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{t('tour.batch.nothing')}</MessageBarBody>
          </MessageBar>
        </div>
      ) : null}
      <FileChoice
        files={[]}
        multiple
        accept={acceptedTypes}
        disabled={batch.isSending}
        hint={t('tour.batch.hint', { code: nodes[0]?.code ?? 'N1' })}
        onChange={(chosenFiles) => {
          setRefused(false);
          void batch.chooseFiles(chosenFiles);
        }}
      />
      {batch.isReading ? (
        <Field label={t('tour.batch.reading', { done: batch.readCount, total: files.length })}>
          <ProgressBar value={batch.readCount / Math.max(1, files.length)} />
        </Field>
      ) : null}
      {files.length === 0 || batch.isReading ? null : (
        <>
          <p role="status" className={styles.note}>
            {t('tour.batch.summary', { count: files.length, matched: assignedCount })}
          </p>
          {countWithoutTime === 0 ? null : (
            <Field
              label={t('tour.panoramas.day')}
              hint={t('tour.batch.dayHint', { count: countWithoutTime, zone: timeZone })}
            >
              <Input
                type="date"
                value={batch.defaultCaptureDate}
                max={dayAt(new Date(), timeZone)}
                disabled={batch.isSending}
                onChange={(_, { value }) => batch.set({ defaultCaptureDate: value })}
              />
            </Field>
          )}
          {countWithHeading === 0 ? null : (
            <Field hint={t('tour.batch.headingsHint')}>
              <Checkbox
                label={t('tour.batch.headings', { count: countWithHeading })}
                checked={batch.shouldUseHeadings}
                disabled={batch.isSending}
                onChange={(_, { checked }) => batch.set({ shouldUseHeadings: checked === true })}
              />
            </Field>
          )}
          {batch.tiltedCount === 0 ? null : (
            <Field hint={t('tour.batch.levelsHint')}>
              <Checkbox
                label={t('tour.batch.levels', { count: batch.tiltedCount })}
                checked={batch.shouldLevel}
                disabled={batch.isSending}
                onChange={(_, { checked }) => batch.set({ shouldLevel: checked === true })}
              />
            </Field>
          )}
          <BatchTable batch={batch} location={location} />
          {access.has('configure') ? <CreateViewpoints batch={batch} location={location} onCreated={onSent} /> : null}
        </>
      )}
    </FormDialog>
  );
});
