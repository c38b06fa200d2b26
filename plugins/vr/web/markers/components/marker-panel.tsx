import { observer } from 'mobx-react-lite';
import { EmptyState, FailedState, LoadingState, makeStyles, SidePanel, tokens } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { MarkerDetails } from './marker-details.tsx';
import { MarkerForm } from './marker-form.tsx';
import { markerLayer, MarkerStore } from '../stores/marker-store.ts';

const useStyles = makeStyles({
  list: { listStyle: 'none', margin: '0 -8px', padding: 0 },
  row: {
    width: '100%',
    minHeight: '44px',
    display: 'grid',
    justifyItems: 'start',
    padding: '6px 8px',
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'transparent',
    color: 'inherit',
    font: 'inherit',
    textAlign: 'start',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorSubtleBackgroundHover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
  kind: {
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    color: tokens.colorNeutralForeground2,
  },
});

/** Shows the edited or selected marker, or a list of the markers that are visible from the current node. */
const MarkerPanel = observer(function MarkerPanel() {
  const styles = useStyles();
  const t = useText();
  const store = useService(TourStore);
  const markers = useService(MarkerStore);
  const { draft, state, all } = markers;
  const uid = store.layers[markerLayer];
  const selectedMarker = all.find((marker) => marker.uid === uid);
  const node = store.currentNode?.uid;
  const visibleMarkers = all.filter(({ seenFrom }) => node !== undefined && seenFrom.includes(node));
  const title = draft
    ? t(draft.original ? 'vr.marker.change' : 'vr.marker.new')
    : (selectedMarker?.name ?? t('vr.markers.here'));
  const close = (): void => {
    markers.cancel();
    store.setLayer(markerLayer, undefined);
    store.setPanel(undefined);
  };
  return (
    <SidePanel title={title} closeLabel={t('vr.markers.close')} onClose={close} widePadding>
      {draft && !draft.isPlacing ? <MarkerForm key={draft.uid} draft={draft} /> : null}
      {!draft && selectedMarker ? <MarkerDetails key={selectedMarker.uid} marker={selectedMarker} /> : null}
      {!draft && !selectedMarker && uid !== undefined && state === 'ready' ? (
        <p role="alert">{t('vr.marker.gone')}</p>
      ) : null}
      {!draft && !selectedMarker && state === 'loading' ? <LoadingState label={t('vr.markers.loading')} /> : null}
      {!draft && !selectedMarker && state === 'failed' ? (
        <FailedState
          title={t('vr.markers.failed')}
          message={t('vr.failedHint')}
          onRetry={() => store.opened && void markers.load(store.opened.tour.location)}
        />
      ) : null}
      {!draft && !selectedMarker && state === 'ready' && visibleMarkers.length === 0 ? (
        <EmptyState title={t('vr.markers.none')} message={t('vr.markers.noneHint')} />
      ) : null}
      {!draft && !selectedMarker && visibleMarkers.length > 0 ? (
        <ul className={styles.list}>
          {visibleMarkers.map((marker) => (
            <li key={marker.uid}>
              <button type="button" className={styles.row} onClick={() => store.setLayer(markerLayer, marker.uid)}>
                {marker.name}
                <span className={styles.kind}>
                  {t('vr.marker.about', {
                    kind: t(`vr.marker.kind.${marker.kind}`),
                    shape: t(`vr.marker.shape.${marker.shape}`),
                  })}
                </span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </SidePanel>
  );
});
export default MarkerPanel;
