import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { LocationNode } from '#core';
import { Button, useRestoreFocusTarget } from '#core/ui';
import { ConfirmDialog, DescriptionList, useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { ContentDeck, TourContent } from '../../../../contract/api/tour-content.ts';
import { fitPlan } from '../../../../common/fit-plan.ts';
import type { ContentMutations } from '../../stores/content-mutations.ts';
import { sumWallLengths } from '../../stores/wall-edits.ts';
import { listLocations } from '../../stores/list-locations.ts';
import { useSiteLengths } from '../../stores/site-lengths.ts';
import { DeletedMessage } from '../deleted-message.tsx';
import { PlacePlanDialog } from '../plan/place-plan-dialog.tsx';
import { PlanUploadDialog } from '../plan/plan-upload-dialog.tsx';
import { WallsDialog } from '../walls/walls-dialog.tsx';
import { DeckDialog } from './deck-dialog.tsx';

type DialogKind = 'edit' | 'plan' | 'place' | 'walls' | 'delete';

export interface DecksCardProps {
  readonly content: TourContent;
  readonly location: LocationNode;
  readonly mutations: ContentMutations;
}

/** The decks of a location, lowest first. */
export const DecksCard = observer(function DecksCard({ content, location, mutations }: DecksCardProps) {
  const t = useText();
  const styles = useAdminStyles();
  const opener = useRestoreFocusTarget();
  const [dialog, setDialog] = useState<{ readonly kind: DialogKind; readonly deck: string } | 'add'>();
  const close = (): void => setDialog(undefined);
  const { decks } = content;
  const locationsWithDeck = new Set(decks.map((deck) => deck.location));
  const levels = listLocations(location).filter(
    ({ uid, locationType }) => locationType === 'LOC_LEVEL' && !locationsWithDeck.has(uid),
  );
  const codes = decks.map(({ code }) => code);
  const chosenDeck = dialog === 'add' ? undefined : decks.find(({ uid }) => uid === dialog?.deck);
  const renderDialog = (): React.ReactNode => {
    if (dialog === 'add' || (dialog?.kind === 'edit' && chosenDeck))
      return <DeckDialog deck={chosenDeck} levels={levels} codes={codes} mutations={mutations} onClose={close} />;
    if (!dialog) return null;
    if (!chosenDeck) return dialog.kind === 'edit' ? <DeletedMessage onClose={close} /> : null;
    switch (dialog.kind) {
      case 'edit':
        return null;
      case 'plan':
      case 'place':
      case 'walls': {
        const [PlanDialog, changeKind] =
          dialog.kind === 'plan'
            ? ([PlanUploadDialog, 'planSaved'] as const)
            : dialog.kind === 'place'
              ? ([PlacePlanDialog, 'planPlaced'] as const)
              : ([WallsDialog, 'wallsSaved'] as const);
        return (
          <PlanDialog
            location={chosenDeck.location}
            deck={chosenDeck}
            onClose={close}
            onSaved={(change) => void mutations.reportDeckChange(change, changeKind, chosenDeck)}
          />
        );
      }
      case 'delete': {
        const count = content.nodes.filter(({ deck }) => deck === chosenDeck.uid).length;
        return (
          <ConfirmDialog
            title={t('tour.content.deck.deleteTitle', { name: chosenDeck.name })}
            message={t('tour.content.deck.deleteHint', { count })}
            action={t('tour.content.delete')}
            onConfirm={() => mutations.deleteDeck(chosenDeck)}
            onClose={close}
          />
        );
      }
    }
  };
  return (
    <section className={styles.card} aria-labelledby="content-decks">
      <div className={styles.head}>
        <div className={styles.grow}>
          <h2 id="content-decks" className={styles.name}>
            {t('tour.content.decks')}
          </h2>
        </div>
        <Button {...opener} disabledFocusable={levels.length === 0} onClick={() => setDialog('add')}>
          {t('tour.content.deck.add')}
        </Button>
      </div>
      {levels.length === 0 ? (
        <p className={styles.note}>{t(decks.length === 0 ? 'tour.content.deck.noLevel' : 'tour.content.deck.all')}</p>
      ) : decks.length === 0 ? (
        <p className={styles.note}>{t('tour.content.deck.none')}</p>
      ) : null}
      {decks.length === 0 ? null : (
        <ul className={styles.list} aria-labelledby="content-decks">
          {decks
            .toSorted((a, b) => a.elevation - b.elevation)
            .map((deck) => (
              <DeckItem key={deck.uid} deck={deck} onOpen={(kind) => setDialog({ kind, deck: deck.uid })} />
            ))}
        </ul>
      )}
      {renderDialog()}
    </section>
  );
});

interface DeckItemProps {
  readonly deck: ContentDeck;
  readonly onOpen: (kind: DialogKind) => void;
}

const DeckItem = observer(function DeckItem({ deck, onOpen }: DeckItemProps) {
  const t = useText();
  const styles = useAdminStyles();
  const lengths = useSiteLengths(deck.location);
  const opener = useRestoreFocusTarget();
  const titleId = `content-deck-${deck.uid}`;
  const { plan } = deck;
  const buttons: readonly (readonly [DialogKind, string, boolean])[] = [
    ['edit', t('tour.content.edit'), false],
    ['plan', t('tour.content.deck.plan'), false],
    ['place', t('tour.content.deck.place'), plan === null],
    ['walls', t('tour.content.deck.walls'), !plan?.placement],
    ['delete', t('tour.content.delete'), false],
  ];
  const describePlan = (): string => {
    if (plan === null) return t('tour.content.plan.none');
    if (!plan.placement) return t('tour.content.plan.notPlaced');
    const { fit } = fitPlan(plan, plan.points);
    return fit?.redundant === true
      ? t('tour.content.plan.placedBy', { rms: lengths.length(fit.rms, { decimals: 2, fixed: true }) })
      : t('tour.content.plan.placed');
  };
  const describeWalls = (): string => {
    const values = {
      count: deck.walls.length,
      length: lengths.length(sumWallLengths(deck.walls), { decimals: 2, fixed: true }),
    };
    const drawnText = t('tour.walls.drawn', values);
    if (plan?.placement) return drawnText;
    return deck.walls.length === 0 ? t('tour.walls.notPlaced') : t('tour.walls.drawnNotPlaced', values);
  };
  return (
    <li className={styles.form}>
      <div className={styles.head}>
        <div className={styles.grow}>
          <h3 id={titleId} className={styles.name}>
            {deck.name}
          </h3>
        </div>
        <div className={styles.actions}>
          {buttons.map(([kind, label, isDisabled]) => (
            <Button
              key={kind}
              {...opener}
              disabledFocusable={isDisabled}
              aria-describedby={titleId}
              onClick={() => onOpen(kind)}
            >
              {label}
            </Button>
          ))}
        </div>
      </div>
      <DescriptionList
        items={[
          [t('tour.content.fact.code'), deck.code],
          [
            t('tour.content.fact.elevation'),
            t('tour.content.length', { value: lengths.coordinate(deck.elevation), unit: lengths.symbol }),
          ],
          [t('tour.content.fact.floor'), t(`tour.content.floor.${deck.floor}`)],
          [t('tour.content.fact.plan'), describePlan()],
          [t('tour.content.fact.walls'), describeWalls()],
        ]}
      />
    </li>
  );
});
