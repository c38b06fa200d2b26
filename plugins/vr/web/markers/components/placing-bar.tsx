import { observer } from 'mobx-react-lite';
import { Button, makeStyles, tokens, ToolStrip } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { markerPanel } from '#plugins/vr';
import type { MarkerDraft } from '../stores/marker-draft.ts';
import { MarkerStore } from '../stores/marker-store.ts';

const useStyles = makeStyles({ problem: { color: tokens.colorPaletteDarkOrangeForeground1 } });

/** Instructions and buttons while a person sets the points of a marker. */
export const PlacingBar = observer(function PlacingBar({ draft }: { readonly draft: MarkerDraft }) {
  const styles = useStyles();
  const t = useText();
  const markers = useService(MarkerStore);
  const store = useService(TourStore);
  const finish = (): void => {
    draft.setPlacing(false);
    store.setPanel(markerPanel);
  };
  const cancel = (): void => {
    if (draft.original) draft.setPlacing(false);
    else markers.cancel();
  };
  const hint = draft.shape === 'POINT' ? 'vr.marker.hintPoint' : 'vr.marker.hintArea';
  const message = draft.problem ? `vr.marker.problem.${draft.problem}` : hint;
  return (
    <ToolStrip label={t('vr.marker.placing')}>
      <span role="status" className={draft.problem ? styles.problem : undefined}>
        {t(message, { count: draft.points.length })}
      </span>
      <Button disabled={draft.history.length === 0} onClick={() => draft.undo()}>
        {t('vr.marker.undo')}
      </Button>
      <Button appearance="primary" disabled={!draft.isComplete} onClick={finish}>
        {t('vr.marker.done')}
      </Button>
      <Button appearance="subtle" onClick={cancel}>
        {t('vr.marker.cancel')}
      </Button>
    </ToolStrip>
  );
});
