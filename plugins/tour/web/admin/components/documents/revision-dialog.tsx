import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { fileType, mandatory } from '#core';
import { Field, Input, ProgressBar, useForm } from '#core/ui';
import { FileChoice, FormDialog, useConflict } from '#core/ui-data';
import { useText, useUnsavedWork } from '#core/web';
import type { ContentDocumentDetails, ContentRevision } from '../../../../contract/api/document-content.ts';
import { revisionRules, statusRules } from '../../../../contract/values/tag-values.ts';
import type { TagAndDocumentMutations } from '../../stores/tag-and-document-mutations.ts';
import { ConflictMessage } from '../conflict-message.tsx';

const acceptedTypes = ['pdf', 'png', 'jpg', 'jpeg', 'webp'];

export interface RevisionDialogProps {
  readonly document: ContentDocumentDetails;
  /** Undefined for a new revision, which requires a file. */
  readonly revision: ContentRevision | undefined;
  readonly mutations: TagAndDocumentMutations;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

/** Uploads a revision, or changes the status and date of an existing one. Closing the dialog aborts the upload. */
export const RevisionDialog = observer(function RevisionDialog({
  document,
  revision,
  mutations,
  onSaved,
  onClose,
}: RevisionDialogProps) {
  const t = useText();
  const { theirs, attempt } = useConflict<ContentRevision | undefined>(revision);
  const [file, setFile] = useState<File>();
  const [fileError, setFileError] = useState<string>();
  const [fraction, setFraction] = useState<number>();
  const abort = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    abort.current = controller;
    return () => controller.abort();
  }, []);
  const [initial] = useState(() => ({
    revision: revision?.revision ?? '',
    status: revision?.status ?? 'S0',
    issuedOn: revision?.issuedOn ?? '',
  }));
  const form = useForm({
    initial,
    rules: { revision: revision ? [] : revisionRules, status: statusRules, issuedOn: [mandatory] },
    send: async (values) => {
      const { status, issuedOn } = values;
      const { signal } = abort.current;
      if (!revision && !file) return setFileError(fileError ?? mandatory('')?.message);
      try {
        const isSaved = await attempt((base) =>
          base
            ? mutations.updateRevision(document, base.revision, { status, issuedOn, version: base.version })
            : mutations.addRevision(
                document,
                file!,
                { revision: values.revision.trim(), status, issuedOn },
                { signal, onProgress: setFraction },
              ),
        );
        if (!isSaved) return;
        await onSaved();
        onClose();
      } finally {
        setFraction(undefined);
      }
    },
  });
  useUnsavedWork(fraction !== undefined, 'tour.tagContent');
  const choose = ([chosen]: readonly File[]): void => {
    const error = fileType(acceptedTypes)(chosen);
    setFileError(error?.message);
    setFile(error ? undefined : chosen);
  };
  const differences =
    theirs &&
    [
      [t('tour.documents.statusCode'), theirs.status, form.state('status').value] as const,
      [t('tour.documents.issuedOn'), theirs.issuedOn, form.state('issuedOn').value] as const,
    ].flatMap(([label, current, input]) => (current === input ? [] : [[label, current] as const]));
  return (
    <FormDialog
      title={
        revision
          ? t('tour.documents.editRevision', { revision: revision.revision })
          : t('tour.documents.addRevisionTitle', { code: document.code })
      }
      action={t(theirs ? 'tour.content.saveMine' : revision ? 'tour.content.save' : 'tour.documents.upload')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <ConflictMessage differences={differences} />
      {revision ? null : (
        <>
          <Field {...(fileError === undefined ? {} : { validationState: 'error', validationMessage: t(fileError) })}>
            <FileChoice
              files={file ? [file] : []}
              accept={acceptedTypes.map((type) => `.${type}`).join()}
              disabled={form.busy}
              hint={t('tour.documents.fileHint')}
              onChange={choose}
            />
          </Field>
          <Field label={t('tour.documents.revisionName')} required {...form.field('revision')}>
            <Input {...form.input('revision')} autoComplete="off" spellCheck={false} />
          </Field>
        </>
      )}
      <Field
        label={t('tour.documents.statusCode')}
        hint={t('tour.documents.statusHint')}
        required
        {...form.field('status')}
      >
        <Input {...form.input('status')} autoComplete="off" spellCheck={false} />
      </Field>
      <Field label={t('tour.documents.issuedOn')} required {...form.field('issuedOn')}>
        <Input type="date" {...form.input('issuedOn')} />
      </Field>
      {fraction === undefined ? null : (
        <Field label={t('tour.panoramas.sending', { fraction })}>
          <ProgressBar value={fraction} />
        </Field>
      )}
    </FormDialog>
  );
});
