import { useState } from 'react';
import { integer, max, min } from '#core';
import { Checkbox, Field, Input, MessageBar, MessageBarBody, useForm } from '#core/ui';
import { FormDialog, readConflict } from '#core/ui-data';
import { useText } from '#core/web';
import type { MediaItem } from '#plugins/media';
import { itemRules } from '../../../contract/rules.ts';
import type { ItemMutations } from '../stores/item-mutations.ts';
import { UploadField } from './upload-field.tsx';

interface FormValues {
  title: string;
  frenchTitle: string;
  sequence: number | undefined;
  captions: boolean;
}

export interface ItemDialogProps {
  readonly item: MediaItem;
  readonly mutations: ItemMutations;
  readonly onClose: () => void;
}

/** Changes the titles and the position of an image or a video, and the captions of a video. */
export function ItemDialog({ item, mutations, onClose }: ItemDialogProps) {
  const t = useText();
  const [version, setVersion] = useState(item.version);
  const [hasConflict, setHasConflict] = useState(false);
  const [initial] = useState<FormValues>(() => ({
    title: item.title,
    frenchTitle: item.frenchTitle ?? '',
    sequence: item.sequence,
    captions: item.captions !== null,
  }));
  const form = useForm<FormValues>({
    initial,
    rules: { ...itemRules, sequence: [integer, min(0), max(1_000_000)], captions: [] },
    send: async ({ frenchTitle, sequence = 0, ...values }) => {
      try {
        await mutations.save(item, { ...values, frenchTitle: frenchTitle.trim() || null, sequence, version });
        onClose();
      } catch (cause) {
        const current = readConflict<MediaItem>(cause);
        // The input stays. Saving again replaces the values of the other person.
        if (!current) throw cause;
        setVersion(current.version);
        setHasConflict(true);
      }
    },
  });
  return (
    <FormDialog
      title={t('media.item.editTitle', { name: item.title })}
      action={t(hasConflict ? 'media.contact.saveMine' : 'media.contact.save')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <div role="alert">
        {hasConflict ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>{t('media.item.conflict')}</MessageBarBody>
          </MessageBar>
        ) : null}
      </div>
      <Field label={t('media.item.title')} required {...form.field('title')}>
        <Input {...form.input('title')} autoComplete="off" />
      </Field>
      <Field label={t('media.item.frenchTitle')} hint={t('media.item.frenchTitleHint')} {...form.field('frenchTitle')}>
        <Input {...form.input('frenchTitle')} autoComplete="off" />
      </Field>
      <Field label={t('media.contact.sequence')} hint={t('media.contact.sequenceHint')} {...form.field('sequence')}>
        <Input inputMode="numeric" {...form.number('sequence')} />
      </Field>
      {item.captions === null ? null : <Checkbox {...form.checkbox('captions')} label={t('media.item.keepCaptions')} />}
      {item.video ? (
        <UploadField
          accept=".vtt,text/vtt"
          hint={t('media.item.captionsHint')}
          onUpload={async (file, options) => {
            await mutations.saveCaptions({ ...item, version }, file, options);
            onClose();
          }}
        />
      ) : null}
    </FormDialog>
  );
}
