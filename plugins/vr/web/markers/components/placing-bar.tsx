import { observer } from 'mobx-react-lite';
import { Button, makeStyles, tokens, ToolStrip } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { markerPanel } from '#plugins/vr';
import type { MarkerDraft } from '../stores/marker-draft.ts';
import { MarkerStore } from '../stores/marker-store.ts';

const useStyles = makeStyles({ problem: { color: tokens.colorPaletteDarkOrangeForeground1 } });

/** Instructions and buttons while a marker is placed. */
export const PlacingBar = observer(function PlacingBar({ draft }: { readonly draft: MarkerDraft }) {
  const styles = useStyles();
  const t = useText();
  const markers = useService(MarkerStore);
  const store = useService(TourStore);
  const done = (): void => {
    draft.setPlacing(false);
    store.setPanel(markerPanel);
  };
  const stop = (): void => {
    if (draft.before) draft.setPlacing(false);
    else markers.cancel();
  };
  const message = draft.problem
    ? `vr.marker.problem.${draft.problem}`
    : draft.shape === 'POINT'
      ? 'vr.marker.hintPoint'
      : 'vr.marker.hintArea';
  return (
    <ToolStrip label={t('vr.marker.placing')}>
      <span role="status" className={draft.problem ? styles.problem : undefined}>
        {t(message, { count: draft.points.length })}
      </span>
      <Button disabled={draft.past.length === 0} onClick={() => draft.undo()}>
        {t('vr.marker.undo')}
      </Button>
      <Button appearance="primary" disabled={!draft.complete} onClick={done}>
        {t('vr.marker.done')}
      </Button>
      <Button appearance="subtle" onClick={stop}>
        {t('vr.marker.cancel')}
      </Button>
    </ToolStrip>
  );
});
