import { observer } from 'mobx-react-lite';
import { ConfirmDialog } from '#core/ui-data';
import { useText } from '#core/web';
import type { TourContent } from '../../../../contract/api/tour-content.ts';
import type { EastNorth } from '../../stores/poses.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';
import { PosesDialog } from '../poses/poses-dialog.tsx';
import { DeletedMessage } from '../deleted-message.tsx';
import { ViewpointDialog } from './viewpoint-dialog.tsx';
import { ViewpointsDialog } from './viewpoints-dialog.tsx';

export type ViewpointDialogState =
  | { readonly kind: 'add'; readonly point: EastNorth }
  | { readonly kind: 'edit' | 'delete'; readonly uids: readonly string[] }
  | { readonly kind: 'poses' }
  | undefined;

export interface ViewpointDialogsProps {
  readonly dialog: ViewpointDialogState;
  readonly content: TourContent;
  readonly editor: ViewpointEditor;
  readonly onClose: () => void;
}

/** Renders the open dialog for viewpoints. */
export const ViewpointDialogs = observer(function ViewpointDialogs({
  dialog,
  content,
  editor,
  onClose,
}: ViewpointDialogsProps) {
  const t = useText();
  const { tour } = editor;
  if (!dialog || !tour) return null;
  const common = { tour, editor, decks: content.decks, onClose };
  const codes = content.nodes.map(({ code }) => code);
  if (dialog.kind === 'add') return <ViewpointDialog {...common} subject={{ point: dialog.point }} codes={codes} />;
  if (dialog.kind === 'poses') return <PosesDialog tour={tour} editor={editor} onClose={onClose} />;
  const { uids } = dialog;
  const chosenUids = new Set(uids);
  const nodes = editor.nodes.filter(({ uid }) => chosenUids.has(uid));
  const [first] = nodes;
  if (!first) {
    const isGone = dialog.kind === 'edit' && !content.nodes.some(({ uid }) => chosenUids.has(uid));
    return isGone ? <DeletedMessage onClose={onClose} /> : null;
  }
  if (dialog.kind === 'delete')
    return (
      <ConfirmDialog
        title={t('tour.content.viewpoints.deleteTitle', { name: first.name, count: nodes.length })}
        message={t('tour.content.viewpoints.deleteHint', { count: nodes.length })}
        action={t('tour.content.delete')}
        onConfirm={async () => {
          await editor.mutations.deleteNodes(tour, nodes);
          editor.select([]);
        }}
        onClose={onClose}
      />
    );
  return nodes.length === 1 ? (
    <ViewpointDialog key={first.uid} {...common} subject={first} codes={codes} />
  ) : (
    <ViewpointsDialog {...common} uids={uids} />
  );
});
