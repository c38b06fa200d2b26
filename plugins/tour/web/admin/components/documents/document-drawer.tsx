import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { LocationNode } from '#core';
import { Button, Field, Input, ResourceView, useForm } from '#core/ui';
import { ConfirmDialog, LocationChoice, useAdminStyles, useConflict } from '#core/ui-data';
import { HttpClient, useResource, useService, useText } from '#core/web';
import type {
  ContentDocument,
  ContentDocumentDetails,
  getContentDocument,
} from '../../../../contract/api/document-content.ts';
import { documentCodeRules, titleRules } from '../../../../contract/values/tag-values.ts';
import type { TagAndDocumentMutations } from '../../stores/tag-and-document-mutations.ts';
import { ConflictMessage } from '../conflict-message.tsx';
import { FormDrawer } from '../form-drawer.tsx';
import { DeletedMessage } from '../deleted-message.tsx';
import { RevisionList } from './revision-list.tsx';

export interface DocumentDrawerProps {
  /** Undefined for a new document. */
  readonly document: ContentDocument | undefined;
  readonly location: LocationNode;
  readonly mutations: TagAndDocumentMutations;
  readonly onClose: () => void;
}

/** Loads a document and shows its form. */
export const DocumentDrawer = observer(function DocumentDrawer({ document, ...common }: DocumentDrawerProps) {
  const http = useService(HttpClient);
  const { uid } = common.location;
  const documentUid = document?.uid;
  const details = useResource(
    (signal) =>
      documentUid === undefined
        ? undefined
        : http.call<typeof getContentDocument>(
            'GET',
            '/api/document-content/:location/documents/:document',
            { params: { location: uid, document: documentUid } },
            { signal },
          ),
    [http, uid, documentUid],
  );
  if (!document) return <DocumentForm details={undefined} {...common} />;
  if (details.failure?.kind === 'notFound') return <DeletedMessage onClose={common.onClose} />;
  return (
    <ResourceView resource={details} waiting={null}>
      {(value) => <DocumentForm details={value} {...common} onChanged={() => details.load()} />}
    </ResourceView>
  );
});

interface DocumentFormProps extends Omit<DocumentDrawerProps, 'document'> {
  readonly details: ContentDocumentDetails | undefined;
  readonly onChanged?: () => Promise<void>;
}

/** Form for a document, with its revisions and tags. */
const DocumentForm = observer(function DocumentForm({
  details,
  location,
  mutations,
  onClose,
  onChanged,
}: DocumentFormProps) {
  const t = useText();
  const styles = useAdminStyles();
  const { theirs, attempt } = useConflict<ContentDocument | undefined>(details);
  // A retry sends the same uid, so that it cannot create a second document.
  const [newUid] = useState(() => crypto.randomUUID());
  const [deleting, setDeleting] = useState(false);
  const [initial] = useState(() => ({
    code: details?.code ?? '',
    title: details?.title ?? '',
    location: details?.location ?? location.uid,
  }));
  const form = useForm({
    initial,
    rules: { code: documentCodeRules, title: titleRules, location: [] },
    send: async ({ code, title, location: locationUid }) => {
      const fields = { code: code.trim(), title: title.trim(), location: locationUid };
      const isSaved = await attempt((base) =>
        base
          ? mutations.updateDocument(base.uid, { ...fields, version: base.version })
          : mutations.createDocument({ uid: newUid, ...fields }),
      );
      if (isSaved) onClose();
    },
  });
  const locationField = form.state('location');
  const differences = theirs && [
    ...(theirs.code === form.state('code').value.trim() ? [] : [[t('tour.content.code'), theirs.code] as const]),
    ...(theirs.title === form.state('title').value.trim() ? [] : [[t('tour.documents.name'), theirs.title] as const]),
  ];
  return (
    <FormDrawer
      title={details ? details.code : t('tour.documents.addTitle')}
      action={t(theirs ? 'tour.content.saveMine' : details ? 'tour.content.save' : 'tour.content.create')}
      busy={form.busy}
      changed={form.changed}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <ConflictMessage differences={differences} />
      <Field label={t('tour.content.code')} hint={t('tour.documents.codeHint')} required {...form.field('code')}>
        <Input {...form.input('code')} autoComplete="off" spellCheck={false} />
      </Field>
      <Field label={t('tour.documents.name')} required {...form.field('title')}>
        <Input {...form.input('title')} autoComplete="off" />
      </Field>
      <LocationChoice
        label={t('tour.panoramas.location')}
        value={locationField.value}
        onChange={(uid) => locationField.onChange(uid)}
      />
      {details && onChanged ? (
        <>
          <RevisionList document={details} mutations={mutations} onChanged={onChanged} />
          <fieldset className={styles.fieldset}>
            <legend className={styles.legend}>{t('tour.documents.tags')}</legend>
            <p className={styles.note}>
              {details.linkedTags.length === 0
                ? t('tour.documents.noTags')
                : details.linkedTags.map(({ number }) => number).join(', ')}
            </p>
          </fieldset>
          <div className={styles.actions}>
            <Button onClick={() => setDeleting(true)}>{t('tour.tags.deleteOne', { number: details.code })}</Button>
          </div>
          {deleting ? (
            <ConfirmDialog
              title={t('tour.documents.deleteTitle', { code: details.code })}
              message={t('tour.documents.deleteHint', { revisions: details.revisions.length, tags: details.tags })}
              action={t('tour.content.delete')}
              onConfirm={async () => {
                await mutations.deleteDocument(details);
                onClose();
              }}
              onClose={() => setDeleting(false)}
            />
          ) : null}
        </>
      ) : (
        <p className={styles.note}>{t('tour.documents.laterHint')}</p>
      )}
    </FormDrawer>
  );
});
