import { useState } from 'react';
import { Button, Link, makeStyles, tokens } from '#core/ui';
import { ConfirmDialog, useAdminStyles } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import type { ContentDocumentDetails, ContentRevision } from '../../../../contract/api/document-content.ts';
import type { TagAndDocumentMutations } from '../../stores/tag-and-document-mutations.ts';
import { RevisionDialog } from './revision-dialog.tsx';

const useStyles = makeStyles({
  row: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM, minWidth: 0 },
  text: { flexGrow: 1, flexBasis: '200px', minWidth: 0, overflowWrap: 'anywhere' },
});

export interface RevisionListProps {
  readonly document: ContentDocumentDetails;
  readonly mutations: TagAndDocumentMutations;
  readonly onChanged: () => Promise<void>;
}

type OpenDialog = { readonly kind: 'add' } | { readonly kind: 'edit' | 'delete'; readonly revision: ContentRevision };

/** Lists the revisions of a document, newest first. Each change is saved immediately and can be undone. */
export function RevisionList({ document, mutations, onChanged }: RevisionListProps) {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const formats = useFormats();
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const close = (): void => setOpenDialog(undefined);
  return (
    <fieldset className={styles.fieldset}>
      <legend className={styles.legend}>{t('tour.documents.revisions')}</legend>
      <ul className={styles.list}>
        {document.revisions.map((revision) => {
          const { revision: name } = revision;
          return (
            <li key={name} className={styles.row}>
              <div className={styles.text}>
                <Link href={revision.address} target="_blank" rel="noopener">
                  {t('tour.documents.revision', { revision: name })}
                </Link>
                <div className={styles.note}>
                  {t('tour.documents.revisionFacts', {
                    status: revision.status,
                    day: formats.calendarDay(revision.issuedOn),
                    size: formats.bytes(revision.bytes),
                    file: revision.fileName,
                  })}
                </div>
              </div>
              <Button
                aria-label={t('tour.documents.editRevision', { revision: name })}
                onClick={() => setOpenDialog({ kind: 'edit', revision })}
              >
                {t('tour.content.edit')}
              </Button>
              <Button
                aria-label={t('tour.documents.deleteRevision', { revision: name })}
                onClick={() => setOpenDialog({ kind: 'delete', revision })}
              >
                {t('tour.content.delete')}
              </Button>
            </li>
          );
        })}
      </ul>
      {document.revisions.length === 0 ? <p className={styles.note}>{t('tour.documents.noRevisionHint')}</p> : null}
      <div className={styles.actions}>
        <Button onClick={() => setOpenDialog({ kind: 'add' })}>{t('tour.documents.addRevision')}</Button>
      </div>
      {openDialog?.kind === 'add' || openDialog?.kind === 'edit' ? (
        <RevisionDialog
          document={document}
          revision={openDialog.kind === 'edit' ? openDialog.revision : undefined}
          mutations={mutations}
          onSaved={onChanged}
          onClose={close}
        />
      ) : null}
      {openDialog?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('tour.documents.deleteRevisionTitle', {
            revision: openDialog.revision.revision,
            code: document.code,
          })}
          message={t('tour.documents.deleteRevisionHint')}
          action={t('tour.content.delete')}
          onConfirm={async () => {
            await mutations.deleteRevision(document, openDialog.revision);
            await onChanged();
          }}
          onClose={close}
        />
      ) : null}
    </fieldset>
  );
}
