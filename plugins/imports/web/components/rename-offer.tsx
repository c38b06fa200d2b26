import { observer } from 'mobx-react-lite';
import { useRef, useState } from 'react';
import { Button, makeStyles, MessageBar, MessageBarActions, MessageBarBody } from '#core/ui';
import { useFormatFailure, useText } from '#core/web';
import type { OpenImport } from '../stores/open-import.ts';

/** Screen readers announce a status only if its element was there before its text. It is hidden while empty. */
const useStyles = makeStyles({ hidden: { position: 'absolute', clipPath: 'inset(50%)' } });

interface OfferState {
  readonly busy: boolean;
  readonly failure?: unknown;
  /** Number of cells that the last answer changed. */
  readonly changed?: number;
}

/** Offers to update the cells that refer to a corrected code, one code after the other. */
export const RenameOffer = observer(function RenameOffer({ openImport }: { readonly openImport: OpenImport }) {
  const t = useText();
  const styles = useStyles();
  const formatFailure = useFormatFailure();
  const bar = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<OfferState>({ busy: false });
  const offer = openImport.currentOffer;
  const answer = async (action: () => Promise<number>): Promise<void> => {
    setState({ busy: true });
    try {
      const changedCount = await action();
      setState({ busy: false, changed: changedCount });
      // The buttons of the last offer disappear, and may take the focus with them: the message then gets it.
      const { activeElement, body } = document;
      const isFocusLost = activeElement === null || activeElement === body || bar.current?.contains(activeElement);
      if (openImport.currentOffer === undefined && isFocusLost) bar.current?.focus();
    } catch (failure) {
      setState({ busy: false, failure });
    }
  };
  const texts = [
    offer ? t('imports.rename.offer', { count: offer.cells, from: offer.from, to: offer.to }) : undefined,
    offer === undefined && state.changed !== undefined
      ? t('imports.rename.answered', { count: state.changed })
      : undefined,
    state.failure === undefined ? undefined : formatFailure(state.failure),
  ].filter((text) => text !== undefined);
  return (
    <div ref={bar} tabIndex={-1} className={texts.length === 0 ? styles.hidden : undefined}>
      <MessageBar intent="info" layout="multiline">
        <MessageBarBody>
          <span role="status">{texts.join(' ')}</span>
        </MessageBarBody>
        {offer === undefined ? null : (
          <MessageBarActions>
            <Button
              size="small"
              appearance="primary"
              disabledFocusable={state.busy}
              onClick={() => void answer(() => openImport.acceptOffer(offer))}
            >
              {t('imports.rename.change', { count: offer.cells })}
            </Button>
            <Button
              size="small"
              disabledFocusable={state.busy}
              onClick={() =>
                void answer(async () => {
                  openImport.dismissOffer(offer);
                  return 0;
                })
              }
            >
              {t('imports.rename.keep')}
            </Button>
          </MessageBarActions>
        )}
      </MessageBar>
    </div>
  );
});
