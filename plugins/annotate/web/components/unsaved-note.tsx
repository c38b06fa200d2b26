import { observer } from 'mobx-react-lite';
import { Button, makeStyles, mergeClasses, tokens, useCover, useDelayed } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';

const useStyles = makeStyles({
  root: {
    position: 'absolute',
    bottom: 'calc(var(--viewer-bottom) + 4px)',
    left: 'var(--viewer-left)',
    right: 'max(var(--viewer-left), var(--viewer-right))',
    width: 'fit-content',
    marginInline: 'auto',
  },
  // Like the tool bar. On a phone, a panel covers the place of both.
  besidePanel: { '@media (max-width: 639px)': { display: 'none' } },
  button: {
    borderRadius: tokens.borderRadiusXLarge,
    boxShadow: tokens.shadow8,
    fontVariantNumeric: 'tabular-nums',
    '@media (pointer: coarse)': { minHeight: '44px' },
  },
});

/** Most items are saved before the note could be read. */
const delayMs = 500;

interface UnsavedStore {
  readonly list: { readonly unsaved: ReadonlySet<string> };
  setPanelOpen(open: boolean): void;
}

export interface UnsavedNoteProps {
  readonly stores: readonly UnsavedStore[];
}

/** Counts the items that the server has not saved, with any tool or none. A click opens the first list that has one. */
export const UnsavedNote = observer(function UnsavedNote({ stores }: UnsavedNoteProps) {
  const styles = useStyles();
  const { toolbarHidden, panel } = useService(TourStore);
  const count = stores.reduce((sum, { list }) => sum + list.unsaved.size, 0);
  const first = stores.find(({ list }) => list.unsaved.size > 0);
  return (
    <div
      ref={useCover()}
      role="status"
      className={mergeClasses(styles.root, panel !== undefined && styles.besidePanel)}
    >
      {first && !toolbarHidden ? <DelayedNote count={count} onOpen={() => first.setPanelOpen(true)} /> : null}
    </div>
  );
});

function DelayedNote({ count, onOpen }: { readonly count: number; readonly onOpen: () => void }) {
  const styles = useStyles();
  const t = useText();
  return useDelayed(delayMs) ? (
    <Button className={styles.button} size="small" onClick={onOpen}>
      {t('annotate.unsaved', { count })}
    </Button>
  ) : null;
}
