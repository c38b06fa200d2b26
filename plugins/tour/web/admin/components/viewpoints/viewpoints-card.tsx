import { observer } from 'mobx-react-lite';
import { useCallback, useMemo, useState } from 'react';
import { Button, Field, Select, useRestoreFocusTarget } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { UnsavedWork, useService, useText } from '#core/web';
import type { TourContent } from '../../../../contract/api/tour-content.ts';
import { noDeck } from '../../stores/list-choices.ts';
import { LinkProposals } from '../../stores/link-proposals.ts';
import { PlanGestures } from '../../stores/plan-gestures.ts';
import { PlanView } from '../../stores/plan-view.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';
import { LinkProposalsPanel } from '../links/link-proposals-panel.tsx';
import { AlignedCount } from './aligned-count.tsx';
import { ViewpointPlan } from './viewpoint-plan.tsx';
import { PlanToolbar } from './plan-toolbar.tsx';
import { SelectionPanel } from './selection-panel.tsx';
import { UnsavedPoses } from './unsaved-poses.tsx';
import { ViewpointDialogs, type ViewpointDialogState } from './viewpoint-dialogs.tsx';
import { ViewpointTable } from './viewpoint-table.tsx';

export interface ViewpointsCardProps {
  readonly content: TourContent;
  readonly editor: ViewpointEditor;
  /** Opens the alignment of a viewpoint. */
  readonly onAlign: (uid: string) => void;
}

/** Edits the viewpoints of one deck and tour and their links, on the plan and in a table. */
export const ViewpointsCard = observer(function ViewpointsCard({ content, editor, onAlign }: ViewpointsCardProps) {
  const t = useText();
  const styles = useAdminStyles();
  const opener = useRestoreFocusTarget();
  const unsavedWork = useService(UnsavedWork);
  const [dialog, setDialog] = useState<ViewpointDialogState>();
  const [isProposing, setProposing] = useState(false);
  const [view] = useState(() => new PlanView());
  const gestures = useMemo(
    () => new PlanGestures(view, editor, (point) => setDialog({ kind: 'add', point })),
    [view, editor],
  );
  const proposals = useMemo(() => new LinkProposals(editor), [editor]);
  const { decks, deck, tours, tour, selected } = editor;
  const canAdd = tour !== undefined;
  const deckNames = new Map(content.decks.map(({ uid, name }) => [uid, name]));
  const tourNames = new Map(content.tours.map(({ uid, name }) => [uid, name]));

  const addInMiddle = (): void => {
    const { width, height } = view.size;
    if (canAdd) setDialog({ kind: 'add', point: view.toSite({ x: width / 2, y: height / 2 }) });
  };
  const choose = async (choice: { readonly deck?: string; readonly tour?: string }): Promise<void> => {
    if (await unsavedWork.confirmLeave()) editor.choose(choice);
  };
  const align = async (uid: string): Promise<void> => {
    if (await unsavedWork.confirmLeave()) onAlign(uid);
  };
  const editSelection = (): void => setDialog({ kind: 'edit', uids: [...selected] });
  const deleteSelection = (): void => setDialog({ kind: 'delete', uids: [...selected] });
  const editOne = useCallback((uid: string) => setDialog({ kind: 'edit', uids: [uid] }), []);

  return (
    <section className={styles.card} aria-labelledby="content-viewpoints">
      <div className={styles.head}>
        <div className={styles.grow}>
          <h2 id="content-viewpoints" className={styles.name}>
            {t('tour.content.viewpoints')}
          </h2>
        </div>
        <div className={styles.actions}>
          <Button {...opener} disabledFocusable={!canAdd} onClick={addInMiddle}>
            {t('tour.content.viewpoint.add')}
          </Button>
          <Button {...opener} disabledFocusable={!canAdd} onClick={() => canAdd && setDialog({ kind: 'poses' })}>
            {t('tour.poses.open')}
          </Button>
          <Button disabledFocusable={!canAdd || isProposing} onClick={() => setProposing(true)}>
            {t('tour.content.links.propose')}
          </Button>
        </div>
      </div>
      {canAdd ? null : <p className={styles.note}>{t('tour.content.viewpoint.noTour')}</p>}
      <div className={styles.head}>
        {decks.length === 0 ? null : (
          <Field label={t('tour.deck')} className={styles.choice}>
            <Select value={deck?.uid ?? noDeck} onChange={(_, { value }) => void choose({ deck: value })}>
              {decks.map((uid) => (
                <option key={uid} value={uid}>
                  {deckNames.get(uid) ?? t('tour.content.noDeck')}
                </option>
              ))}
            </Select>
          </Field>
        )}
        {tours.length < 2 ? null : (
          <Field label={t('tour.title')} className={styles.choice}>
            <Select value={tour?.uid ?? ''} onChange={(_, { value }) => void choose({ tour: value })}>
              {tours.map(({ uid }) => (
                <option key={uid} value={uid}>
                  {tourNames.get(uid)}
                </option>
              ))}
            </Select>
          </Field>
        )}
      </div>
      <PlanToolbar view={view} gestures={gestures} canAdd={canAdd} />
      <UnsavedPoses editor={editor} />
      <ViewpointPlan
        label={t('tour.content.planOf', { deck: deck?.name ?? t('tour.content.noDeck') })}
        editor={editor}
        view={view}
        gestures={gestures}
        proposals={proposals.shownLinks}
        onAdd={addInMiddle}
        onEdit={editSelection}
        onDelete={deleteSelection}
      />
      {deck && !deck.plan?.placement ? <p className={styles.note}>{t('tour.content.plan.grid')}</p> : null}
      {isProposing ? (
        <LinkProposalsPanel editor={editor} proposals={proposals} onClose={() => setProposing(false)} />
      ) : null}
      <SelectionPanel
        content={content}
        editor={editor}
        onEdit={editSelection}
        onDelete={deleteSelection}
        onAlign={(uid) => void align(uid)}
      />
      <AlignedCount content={content} editor={editor} />
      <ViewpointTable editor={editor} alignments={content.alignments} onEdit={editOne} />
      <ViewpointDialogs dialog={dialog} content={content} editor={editor} onClose={() => setDialog(undefined)} />
    </section>
  );
});
