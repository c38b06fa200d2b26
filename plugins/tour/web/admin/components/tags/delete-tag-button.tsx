import { useState } from 'react';
import { Button } from '#core/ui';
import { ConfirmDialog, useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { ContentTagDetails } from '../../../../contract/api/tag-content.ts';
import type { TagAndDocumentMutations } from '../../stores/tag-and-document-mutations.ts';

export interface DeleteTagButtonProps {
  readonly details: ContentTagDetails;
  readonly mutations: TagAndDocumentMutations;
  readonly onDeleted: () => void;
}

/** Deletes a tag after a confirmation that lists its dependent contents. */
export function DeleteTagButton({ details, mutations, onDeleted }: DeleteTagButtonProps) {
  const t = useText();
  const styles = useAdminStyles();
  const [asking, setAsking] = useState(false);
  const { number, seenFrom, documents, tagsOnLine } = details;
  const consequences = [
    ...(seenFrom.length > 0 ? [t('tour.tags.deleteViews', { count: seenFrom.length })] : []),
    ...(documents > 0 ? [t('tour.tags.deleteDocuments', { count: documents })] : []),
    ...(tagsOnLine > 0 ? [t('tour.tags.deleteTagsOnLine', { count: tagsOnLine })] : []),
  ];
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('tour.tags.deleteOne', { number })}</Button>
      {asking ? (
        <ConfirmDialog
          title={t('tour.tags.deleteTitle', { number })}
          message={t('tour.tags.deleteHint')}
          action={t('tour.content.delete')}
          onConfirm={async () => {
            await mutations.deleteTag(details);
            onDeleted();
          }}
          onClose={() => setAsking(false)}
        >
          {consequences.length === 0 ? null : (
            <ul className={styles.report}>
              {consequences.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          )}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
