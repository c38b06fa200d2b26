import { observer } from 'mobx-react-lite';
import type { LocationNode } from '#core';
import { ResourceView } from '#core/ui';
import { HttpClient, useResource, useService } from '#core/web';
import type { ContentTag, getContentTag } from '../../../../contract/api/tag-content.ts';
import type { TagAndDocumentMutations } from '../../stores/tag-and-document-mutations.ts';
import { DeletedMessage } from '../deleted-message.tsx';
import { TagForm } from './tag-form.tsx';

export interface TagDrawerProps {
  /** Undefined for a new tag. */
  readonly tag: ContentTag | undefined;
  readonly location: LocationNode;
  readonly mutations: TagAndDocumentMutations;
  readonly onPlace: (tag: ContentTag) => void;
  readonly onClose: () => void;
}

/** Loads a tag and shows its form. */
export const TagDrawer = observer(function TagDrawer({ tag, location, mutations, onPlace, onClose }: TagDrawerProps) {
  const http = useService(HttpClient);
  const { uid } = location;
  const tagUid = tag?.uid;
  const details = useResource(
    (signal) =>
      tagUid === undefined
        ? undefined
        : http.call<typeof getContentTag>(
            'GET',
            '/api/tag-content/:location/tags/:tag',
            { params: { location: uid, tag: tagUid } },
            { signal },
          ),
    [http, uid, tagUid],
  );
  const common = { location, mutations, onClose };
  if (!tag) return <TagForm details={undefined} {...common} />;
  if (details.failure?.kind === 'notFound') return <DeletedMessage onClose={onClose} />;
  return (
    <ResourceView resource={details} waiting={null}>
      {(value) => (
        <TagForm details={value} {...common} onPlace={() => onPlace(value)} onChanged={() => details.load()} />
      )}
    </ResourceView>
  );
});
