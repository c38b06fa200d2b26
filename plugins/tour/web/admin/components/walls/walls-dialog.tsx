import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Button, MessageBar, MessageBarActions, MessageBarBody, useForm } from '#core/ui';
import { FormDialog } from '#core/ui-data';
import { HttpClient, UnsavedWork, useService, useText, useUnsavedWork } from '#core/web';
import type { ContentDeck, PlacedPlan, saveDeckWalls } from '../../../../contract/api/tour-content.ts';
import { toPlan } from '../../../../contract/index.ts';
import { loadCurrentDeck } from '../../stores/load-current-deck.ts';
import { useWallEdits, type WallValues } from '../../stores/use-wall-edits.ts';
import type { PlanDialogProps } from '../plan/place-plan-dialog.tsx';
import { PlanCanvas } from '../plan/plan-canvas.tsx';
import { usePlanColumns } from '../plan/use-plan-columns.ts';
import { WallList } from './wall-list.tsx';

/** Draws the walls of a deck on its plan. Renders nothing for a deck without a placed plan. */
export const WallsDialog = observer(function WallsDialog({ deck, ...props }: PlanDialogProps) {
  /** Replaced when the person discards the input after a conflict. */
  const [currentDeck, setCurrentDeck] = useState(deck);
  const { plan } = currentDeck;
  return plan?.placement ? (
    <DrawingDialog
      key={currentDeck.version}
      {...props}
      deck={currentDeck}
      plan={plan}
      placement={plan.placement}
      onDiscard={setCurrentDeck}
    />
  ) : null;
});

interface DrawingDialogProps extends PlanDialogProps {
  readonly plan: PlacedPlan;
  readonly placement: NonNullable<PlacedPlan['placement']>;
  readonly onDiscard: (theirs: ContentDeck) => void;
}

const DrawingDialog = observer(function DrawingDialog({
  location,
  deck,
  plan,
  placement,
  onClose,
  onSaved,
  onDiscard,
}: DrawingDialogProps) {
  const t = useText();
  const styles = usePlanColumns();
  const http = useService(HttpClient);
  const unsavedWork = useService(UnsavedWork);
  const [theirs, setTheirs] = useState<ContentDeck>();
  const [incompleteNumber, setIncompleteNumber] = useState<number>();
  const form = useForm<WallValues>({
    initial: { walls: deck.walls },
    rules: { walls: [] },
    send: async ({ walls }) => {
      const firstIncompleteNumber = walls.find(({ points }) => points.length < 2)?.number;
      setIncompleteNumber(firstIncompleteNumber);
      if (firstIncompleteNumber !== undefined) return edits.select(firstIncompleteNumber);
      const body = { version: (theirs ?? deck).version, walls: [...walls] };
      try {
        const { change } = await http.call<typeof saveDeckWalls>(
          'PUT',
          '/api/tour-content/:location/decks/:deck/walls',
          { params: { location, deck: deck.uid }, body },
        );
        onSaved(change);
        onClose();
      } catch (cause) {
        const currentDeck = await loadCurrentDeck(cause, http, location, theirs ?? deck);
        if (!currentDeck) throw cause;
        setTheirs(currentDeck);
      }
    },
  });
  const area = { width: plan.width, height: plan.height, ...placement };
  const edits = useWallEdits(form, area);
  useUnsavedWork(form.changed, 'tour.walls');
  const { undo } = edits;
  useEffect(() => {
    const undoByKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'z')
        return;
      event.preventDefault();
      undo();
    };
    document.addEventListener('keydown', undoByKey);
    return () => document.removeEventListener('keydown', undoByKey);
  }, [undo]);
  const close = async (): Promise<void> => {
    if (!form.changed || (await unsavedWork.confirmLeave())) onClose();
  };
  const lines = edits.walls.map(({ number, points }) => ({
    id: number,
    points: points.map((point) => toPlan(area, point)),
    highlighted: number === edits.selected,
  }));
  const selectedLine = lines.find(({ highlighted }) => highlighted);
  const isIncomplete = edits.walls.some(({ number, points }) => number === incompleteNumber && points.length < 2);
  return (
    <FormDialog
      wide
      title={t('tour.walls.title', { deck: deck.name })}
      action={t(theirs ? 'tour.walls.saveMine' : 'tour.walls.save')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={() => void close()}
    >
      <div className={styles.columns}>
        <PlanCanvas
          plan={plan}
          label={t('tour.walls.plan', { deck: deck.name })}
          lines={lines}
          marks={(selectedLine?.points ?? []).map(({ x, y }, index) => ({
            x,
            y,
            badge: String(index + 1),
            label: t('tour.walls.mark', { wall: selectedLine?.id ?? 0, name: index + 1, x, y }),
            failed: false,
          }))}
          hint={t('tour.walls.hint')}
          onAdd={edits.add}
          onMove={edits.move}
          onRemove={edits.removePoint}
        />
        <div className={styles.form}>
          <div role="alert">
            {theirs ? (
              <MessageBar intent="warning" layout="multiline">
                <MessageBarBody>{t('tour.walls.conflict')}</MessageBarBody>
                {theirs.plan?.placement ? (
                  <MessageBarActions>
                    <Button disabledFocusable={form.busy} onClick={() => onDiscard(theirs)}>
                      {t('tour.plan.showTheirs')}
                    </Button>
                  </MessageBarActions>
                ) : null}
              </MessageBar>
            ) : null}
            {isIncomplete ? (
              <MessageBar intent="error" layout="multiline">
                <MessageBarBody>{t('tour.walls.onePoint', { number: incompleteNumber ?? 0 })}</MessageBarBody>
              </MessageBar>
            ) : null}
          </div>
          <WallList location={location} edits={edits} busy={form.busy} />
        </div>
      </div>
    </FormDialog>
  );
});
