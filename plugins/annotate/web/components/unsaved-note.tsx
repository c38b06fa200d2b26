import type { ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, makeStyles, mergeClasses, tokens, useCover, useDelayed } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';

const useStyles = makeStyles({
  root: {
    position: 'absolute',
    bottom: 'var(--viewer-above-bottom)',
    left: 'var(--viewer-left)',
    right: 'max(var(--viewer-left), var(--viewer-right))',
    width: 'fit-content',
    marginInline: 'auto',
  },
  // On a phone, an open panel covers this place, so the note is hidden like the tool bar.
  besidePanel: { '@media (max-width: 639px)': { display: 'none' } },
  message: { position: 'absolute', clipPath: 'inset(50%)', whiteSpace: 'nowrap' },
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

/** Shows how many items the server has not saved, whichever tool is active. A click opens the first panel with one. */
export const UnsavedNote = observer(function UnsavedNote({ stores }: UnsavedNoteProps) {
  const styles = useStyles();
  const t = useText();
  const cover = useCover('aboveBottom');
  const { toolbarHidden, panel } = useService(TourStore);
  const count = stores.reduce((sum, { list }) => sum + list.unsaved.size, 0);
  const firstUnsavedStore = toolbarHidden ? undefined : stores.find(({ list }) => list.unsaved.size > 0);
  const text = t('annotate.unsaved', { count });
  return (
    <>
      <span role="status" className={styles.message}>
        {firstUnsavedStore ? <Delayed>{text}</Delayed> : null}
      </span>
      <div ref={cover} className={mergeClasses(styles.root, panel !== undefined && styles.besidePanel)}>
        {firstUnsavedStore ? (
          <Delayed>
            <Button className={styles.button} size="small" onClick={() => firstUnsavedStore.setPanelOpen(true)}>
              {text}
            </Button>
          </Delayed>
        ) : null}
      </div>
    </>
  );
});

function Delayed({ children }: { readonly children: ReactNode }) {
  return useDelayed(delayMs) ? children : null;
}
