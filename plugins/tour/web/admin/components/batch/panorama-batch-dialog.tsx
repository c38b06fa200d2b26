import { observer } from 'mobx-react-lite';
import { useEffect, useState, type FormEvent } from 'react';
import { dayAt } from '#core';
import { Checkbox, Field, Input, MessageBar, MessageBarBody, ProgressBar } from '#core/ui';
import { FileChoice, FormDialog, useAdminStyles } from '#core/ui-data';
import { Access, HttpClient, Sites, useService, useText, useUnsavedWork } from '#core/web';
import type { NodePanoramas } from '../../../../contract/api/admin.ts';
import { PanoramaBatch } from '../../stores/batch/panorama-batch.ts';
import { BatchTable } from './batch-table.tsx';
import { MakeViewpoints } from './make-viewpoints.tsx';

export interface PanoramaBatchDialogProps {
  readonly title: string;
  readonly location: string;
  readonly nodes: readonly NodePanoramas[];
  readonly onClose: () => void;
  readonly onSent: () => Promise<void>;
}

const acceptedTypes = '.jpg,.jpeg,.png,.webp';

/** Uploads panoramas after the person has seen which viewpoint each belongs to. */
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

  const { files, sendable } = batch;
  const hasSent = files.some(({ isSent }) => isSent);
  const undated = files.filter((row) => row.facts.wallTime === undefined).length;
  const withHeading = files.filter((row) => row.facts.heading !== undefined).length;
  const tilted = files.filter(({ facts: { pitch = 0, roll = 0 } }) => pitch !== 0 || roll !== 0).length;
  const matched = files.filter(({ match }) => match).length;

  const close = (): void => {
    batch.stop();
    onClose();
    if (hasSent) void onSent();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (batch.isSending) return batch.stop();
    setRefused(sendable.length === 0);
    if (sendable.length === 0 || batch.isReading) return;
    await batch.send();
    if (batch.files.every(({ state }) => state === 'SENT')) {
      onClose();
      void onSent();
    }
  };
  return (
    <FormDialog
      wide
      title={title}
      action={batch.isSending ? t('tour.batch.stop') : t('tour.batch.upload', { count: sendable.length })}
      busy={false}
      failure={batch.failure}
      onSubmit={(event) => void submit(event)}
      onClose={close}
    >
      {isRefused && sendable.length === 0 ? (
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
        onChange={(chosen) => {
          setRefused(false);
          void batch.choose(chosen);
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
            {t('tour.batch.summary', { count: files.length, matched })}
          </p>
          {undated === 0 ? null : (
            <Field label={t('tour.panoramas.day')} hint={t('tour.batch.dayHint', { count: undated, zone: timeZone })}>
              <Input
                type="date"
                value={batch.day}
                max={dayAt(new Date(), timeZone)}
                disabled={batch.isSending}
                onChange={(_, { value }) => batch.set({ day: value })}
              />
            </Field>
          )}
          {withHeading === 0 ? null : (
            <Field hint={t('tour.batch.headingsHint')}>
              <Checkbox
                label={t('tour.batch.headings', { count: withHeading })}
                checked={batch.usesHeadings}
                disabled={batch.isSending}
                onChange={(_, { checked }) => batch.set({ usesHeadings: checked === true })}
              />
            </Field>
          )}
          {tilted === 0 ? null : (
            <Field hint={t('tour.batch.levelsHint')}>
              <Checkbox
                label={t('tour.batch.levels', { count: tilted })}
                checked={batch.levels}
                disabled={batch.isSending}
                onChange={(_, { checked }) => batch.set({ levels: checked === true })}
              />
            </Field>
          )}
          <BatchTable batch={batch} location={location} />
          {access.has('configure') ? <MakeViewpoints batch={batch} location={location} onMade={onSent} /> : null}
        </>
      )}
    </FormDialog>
  );
});
