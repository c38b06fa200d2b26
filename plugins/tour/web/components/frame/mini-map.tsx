import { useState } from 'react';
import { observer } from 'mobx-react-lite';
import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  mergeClasses,
  Select,
  useRestoreFocus,
} from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore, type Deck } from '#plugins/tour';
import { FullscreenIcon } from '../icons.tsx';
import { PlanView } from './plan-view.tsx';
import { low, useGlass } from './use-glass.ts';

const useStyles = makeStyles({
  map: {
    position: 'relative',
    width: 'min(288px, calc(100vw - 88px))',
    padding: '4px',
    overflow: 'hidden',
    // Rail and map together are as wide as the map in other layouts, because the tool bar leaves this width free.
    [low]: { width: '216px' },
  },
  foot: { display: 'flex', alignItems: 'center', justifyContent: 'end', gap: '4px', marginTop: '4px' },
  open: { minWidth: '32px', '@media (pointer: coarse)': { minWidth: '44px', minHeight: '44px' } },
  deck: { flexGrow: 1, minWidth: 0 },
  dialog: { width: 'min(1200px, 96vw)', maxWidth: 'none', maxHeight: '96vh' },
});

/**
 * The plan of the deck with its nodes and the view direction. It can be opened large. `withImage` is false until the
 * image of the plan may be fetched.
 */
export const MiniMap = observer(function MiniMap({
  deck,
  withImage,
}: {
  readonly deck: Deck;
  readonly withImage: boolean;
}) {
  const styles = useStyles();
  const glass = useGlass();
  const t = useText();
  const [open, setOpen] = useState(false);
  const [opener, setOpener] = useState<HTMLButtonElement | null>(null);
  return (
    <section
      aria-label={t('tour.map', { deck: deck.name })}
      className={mergeClasses(glass.glass, glass.rounded, styles.map)}
    >
      <PlanView deck={deck} withImage={withImage} large={false} />
      <div className={styles.foot}>
        <DeckChoice deck={deck} />
        <Button
          ref={setOpener}
          className={styles.open}
          appearance="subtle"
          aria-label={t('tour.largeMap')}
          icon={<FullscreenIcon />}
          onClick={() => setOpen(true)}
        />
      </div>
      {open ? <LargeMap deck={deck} opener={opener} onClose={() => setOpen(false)} /> : null}
    </section>
  );
});

interface LargeMapProps {
  readonly deck: Deck;
  /** The element that gets the focus when the map is closed. */
  readonly opener: HTMLElement | null;
  readonly onClose: () => void;
}

const LargeMap = observer(function LargeMap({ deck, opener, onClose }: LargeMapProps) {
  const styles = useStyles();
  const t = useText();
  const isComplete = useService(TourStore).opened?.complete ?? true;
  useRestoreFocus(opener);
  return (
    <Dialog open onOpenChange={(_, { open }) => (open ? undefined : onClose())}>
      <DialogSurface className={styles.dialog}>
        <DialogBody>
          <DialogTitle>{t('tour.map', { deck: deck.name })}</DialogTitle>
          <DialogContent>
            <PlanView deck={deck} withImage large onChosen={onClose} />
            {isComplete ? null : <p role="status">{t('tour.placesLoading')}</p>}
            <DeckChoice deck={deck} />
          </DialogContent>
          <DialogActions fluid>
            <Button onClick={onClose}>{t('tour.shortcutsClose')}</Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
});

const DeckChoice = observer(function DeckChoice({ deck }: { readonly deck: Deck }) {
  const styles = useStyles();
  const t = useText();
  const store = useService(TourStore);
  const decks = store.opened?.decks ?? [];
  if (decks.length < 2) return null;
  return (
    <Select
      className={styles.deck}
      size="small"
      aria-label={t('tour.deck')}
      value={deck.uid}
      onChange={(_, { value }) => store.setMapLevel(value)}
    >
      {decks.map(({ uid, name }) => (
        <option key={uid} value={uid}>
          {name}
        </option>
      ))}
    </Select>
  );
});
