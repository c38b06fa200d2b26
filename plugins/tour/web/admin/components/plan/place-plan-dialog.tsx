import { observer } from 'mobx-react-lite';
import { useRef, useState } from 'react';
import { Button, MessageBar, MessageBarActions, MessageBarBody, Tab, TabList } from '#core/ui';
import { FormDialog } from '#core/ui-data';
import { HttpClient, UnsavedWork, useService, useText, useUnsavedWork } from '#core/web';
import type { ContentDeck, placeDeckPlan, PlacedPlan } from '../../../../contract/api/tour-content.ts';
import type { MarkDevice, PlanMark } from '../../stores/find-mark-step.ts';
import { loadCurrentDeck } from '../../stores/load-current-deck.ts';
import {
  computePlacement,
  findDisagreement,
  toMetreValues,
  toPlacementBody,
  type EnteredPoint,
  type PlacementMethod,
  type PlacementProblem,
} from '../../stores/placement-values.ts';
import { useInitialSiteLengths } from '../../stores/site-lengths.ts';
import { usePlacementForm } from '../../stores/use-placement-form.ts';
import { useMarks } from '../../stores/use-marks.ts';
import { DisagreementConfirmation } from './disagreement-confirmation.tsx';
import { PlacementSummary, problemTexts } from './placement-summary.tsx';
import { PlanCanvas } from './plan-canvas.tsx';
import { PointsTable, type NextFocus } from './points-table.tsx';
import { ScaleFields } from './scale-fields.tsx';
import { usePlanColumns } from './use-plan-columns.ts';

export interface PlanDialogProps {
  /** Uid of the location whose contents are shown. */
  readonly location: string;
  readonly deck: ContentDeck;
  readonly onClose: () => void;
  /** Called with the uid of the change, which can be undone. */
  readonly onSaved: (change: string | null) => void;
}

/** Places the plan of a deck in the site frame. Renders nothing for a deck without a plan. */
export const PlacePlanDialog = observer(function PlacePlanDialog({ deck, ...props }: PlanDialogProps) {
  /** Replaced when the person discards the input after a conflict. */
  const [currentDeck, setCurrentDeck] = useState(deck);
  return currentDeck.plan ? (
    <PlacementDialog
      key={currentDeck.version}
      {...props}
      deck={currentDeck}
      plan={currentDeck.plan}
      onDiscard={setCurrentDeck}
    />
  ) : null;
});

interface PlacementDialogProps extends PlanDialogProps {
  readonly plan: PlacedPlan;
  readonly onDiscard: (theirs: ContentDeck) => void;
}

const PlacementDialog = observer(function PlacementDialog({
  location,
  deck,
  plan,
  onClose,
  onSaved,
  onDiscard,
}: PlacementDialogProps) {
  const t = useText();
  const styles = usePlanColumns();
  const http = useService(HttpClient);
  const lengths = useInitialSiteLengths(location);
  const unsavedWork = useService(UnsavedWork);
  const [method, setMethod] = useState<PlacementMethod>(
    plan.placement && plan.points.length === 0 ? 'scale' : 'points',
  );
  const [theirs, setTheirs] = useState<ContentDeck>();
  const [refusedProblem, setRefusedProblem] = useState<PlacementProblem>();
  const [isPlanGone, setPlanGone] = useState(false);
  /** The plan and the points whose residuals the person has confirmed. Others need another confirmation. */
  const [confirmedKey, setConfirmedKey] = useState<string>();
  const [isConfirmationMissing, setConfirmationMissing] = useState(false);
  const confirmation = useRef<HTMLInputElement>(null);
  const scrolledForm = useRef<HTMLDivElement>(null);
  const focusNext = useRef<NextFocus>(undefined);
  /** The image to which the placement applies. */
  const currentPlan = theirs?.plan ?? plan;
  const form = usePlacementForm(plan, method, lengths, async (formValues) => {
    const values = toMetreValues(formValues, plan, lengths);
    const placement = computePlacement(method, currentPlan, values);
    const body = toPlacementBody(values, placement, (theirs ?? deck).version);
    setRefusedProblem(body ? undefined : placement.problem);
    if (!body) return;
    if (
      findDisagreement(currentPlan, values.points, placement) &&
      confirmedKey !== toConfirmationKey(currentPlan, formValues.points)
    ) {
      setConfirmationMissing(true);
      confirmation.current?.focus();
      return;
    }
    try {
      const { change } = await http.call<typeof placeDeckPlan>(
        'PUT',
        '/api/tour-content/:location/decks/:deck/placement',
        { params: { location, deck: deck.uid }, body },
      );
      onSaved(change);
      onClose();
    } catch (cause) {
      const currentDeck = await loadCurrentDeck(cause, http, location, theirs ?? deck);
      if (!currentDeck) throw cause;
      if (currentDeck.plan) setTheirs(currentDeck);
      else setPlanGone(true);
    }
  });
  useUnsavedWork(form.changed, 'tour.plan');
  const enteredValues = {
    points: form.state('points').value,
    marks: form.state('marks').value,
    distance: form.state('distance').value,
    heading: form.state('heading').value,
    east: form.state('east').value,
    north: form.state('north').value,
  };
  const enteredKey = toConfirmationKey(currentPlan, enteredValues.points);
  const metreValues = toMetreValues(enteredValues, plan, lengths);
  const enteredPlacement = computePlacement(method, currentPlan, metreValues);
  const disagreement = findDisagreement(currentPlan, metreValues.points, enteredPlacement);
  const marks = useMarks(form, method, enteredPlacement.fit?.redundant ? enteredPlacement.residuals : []);
  const add = (mark: PlanMark, device: MarkDevice): void => {
    setRefusedProblem(undefined);
    const index = marks.add(mark);
    // Focusing a field opens the keyboard of a phone, which would cover the plan.
    if (method === 'points' && index !== undefined && device !== 'touch')
      focusNext.current = { index, keepsPlan: device === 'mouse' };
  };
  const close = async (): Promise<void> => {
    if (!form.changed || (await unsavedWork.confirmLeave())) onClose();
  };
  return (
    <FormDialog
      wide
      title={t('tour.plan.title', { deck: deck.name })}
      action={t(theirs ? 'tour.plan.saveMine' : 'tour.plan.save')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={() => void close()}
    >
      <div className={styles.columns}>
        <PlanCanvas
          plan={currentPlan}
          label={t('tour.plan', { deck: deck.name })}
          marks={marks.labelledMarks}
          hint={t('tour.plan.canvasHint')}
          onAdd={add}
          onMove={marks.move}
          onRemove={marks.remove}
        />
        <div ref={scrolledForm} className={styles.form}>
          <div role="alert">
            {theirs ? (
              <MessageBar intent="warning" layout="multiline">
                <MessageBarBody>
                  {t('tour.plan.conflict')}{' '}
                  {theirs.plan?.address === plan.address ? null : t('tour.plan.imageReplaced')}
                </MessageBarBody>
                <MessageBarActions>
                  <Button disabledFocusable={form.busy} onClick={() => onDiscard(theirs)}>
                    {t('tour.plan.showTheirs')}
                  </Button>
                </MessageBarActions>
              </MessageBar>
            ) : null}
            {isPlanGone ? (
              <MessageBar intent="error" layout="multiline">
                <MessageBarBody>{t('tour.plan.gone')}</MessageBarBody>
              </MessageBar>
            ) : null}
            {refusedProblem !== undefined && !enteredPlacement.placement ? (
              <MessageBar intent="error" layout="multiline">
                <MessageBarBody>{t(problemTexts[enteredPlacement.problem ?? refusedProblem])}</MessageBarBody>
              </MessageBar>
            ) : null}
          </div>
          <TabList
            selectedValue={method}
            onTabSelect={(_, { value }) => {
              setMethod(value === 'scale' ? 'scale' : 'points');
              setRefusedProblem(undefined);
            }}
          >
            <Tab value="points">{t('tour.plan.byPoints')}</Tab>
            <Tab value="scale">{t('tour.plan.byScale')}</Tab>
          </TabList>
          {method === 'scale' ? (
            <ScaleFields form={form} lengths={lengths} />
          ) : (
            <PointsTable
              form={form}
              lengths={lengths}
              residuals={enteredPlacement.fit?.redundant ? enteredPlacement.residuals : []}
              focusNext={focusNext}
              scrolledForm={scrolledForm}
              onRemove={marks.remove}
            />
          )}
          {disagreement ? (
            <DisagreementConfirmation
              disagreement={disagreement}
              lengths={lengths}
              confirmed={confirmedKey === enteredKey}
              missing={isConfirmationMissing}
              checkboxRef={(element) => {
                confirmation.current = element;
              }}
              onChange={(isConfirmed) => setConfirmedKey(isConfirmed ? enteredKey : undefined)}
            />
          ) : null}
          <PlacementSummary lengths={lengths} plan={currentPlan} entered={enteredPlacement} />
        </div>
      </div>
    </FormDialog>
  );
});

const toConfirmationKey = ({ address }: PlacedPlan, points: readonly EnteredPoint[]): string =>
  JSON.stringify([address, points]);
