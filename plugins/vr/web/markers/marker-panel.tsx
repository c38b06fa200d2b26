import { observer } from 'mobx-react-lite';
import { Button, EmptyState, FailedState, LoadingState, makeStyles, tokens, Tooltip } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { MarkerDetails } from './marker-details.tsx';
import { MarkerForm } from './marker-form.tsx';
import { markerLayer, MarkerStore } from './marker-store.ts';

const useStyles = makeStyles({
  panel: {
    position: 'absolute',
    top: '56px',
    right: '8px',
    bottom: '8px',
    width: '360px',
    maxWidth: 'calc(100% - 16px)',
    display: 'flex',
    flexDirection: 'column',
    overflow: 'hidden',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    boxShadow: tokens.shadow8,
    '@media (forced-colors: active)': { border: '1px solid CanvasText' },
    '@media (max-width: 639px)': { left: 0, right: 0, top: 'auto', bottom: '56px', width: 'auto', maxWidth: 'none', height: '44%', borderBottomLeftRadius: 0, borderBottomRightRadius: 0 },
  },
  head: { display: 'flex', alignItems: 'center', gap: '8px', padding: '8px 8px 8px 16px' },
  title: { margin: 0, flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere', fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400, fontWeight: tokens.fontWeightSemibold },
  body: { overflowY: 'auto', flexGrow: 1, padding: '0 16px 16px' },
  list: { listStyle: 'none', margin: '0 -8px', padding: 0 },
  row: { width: '100%', minHeight: '44px', display: 'grid', justifyItems: 'start', padding: '6px 8px', border: 'none', borderRadius: tokens.borderRadiusMedium, backgroundColor: 'transparent', color: 'inherit', font: 'inherit', textAlign: 'start', cursor: 'pointer', ':hover': { backgroundColor: tokens.colorSubtleBackgroundHover }, ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' } },
  kind: { fontSize: tokens.fontSizeBase200, lineHeight: tokens.lineHeightBase200, color: tokens.colorNeutralForeground2 },
});

/** The marker that is looked at, made or changed; else those that are seen from here. */
export const MarkerPanel = observer(function MarkerPanel() {
  const styles = useStyles();
  const t = useText();
  const store = useService(TourStore);
  const markers = useService(MarkerStore);
  const { draft, state, all } = markers;
  const uid = store.layers[markerLayer];
  const selected = all.find((marker) => marker.uid === uid);
  const node = store.currentNode?.code;
  const here = all.filter(({ seenFrom }) => node !== undefined && seenFrom.includes(node));
  const title = draft ? t(draft.before ? 'vr.marker.change' : 'vr.marker.new') : (selected?.name ?? t('vr.markers.here'));
  const close = (): void => {
    markers.cancel();
    store.setLayer(markerLayer, undefined);
    store.setPanel(undefined);
  };
  return (
    <aside className={styles.panel} aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <Tooltip content={t('vr.markers.close')} relationship="label">
          <Button
            appearance="subtle"
            onClick={close}
            icon={
              <svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
                <path d="M5 5l10 10M15 5 5 15" />
              </svg>
            }
          />
        </Tooltip>
      </div>
      <div className={styles.body}>
        {draft && !draft.placing ? <MarkerForm key={draft.uid} draft={draft} /> : null}
        {!draft && selected ? <MarkerDetails key={selected.uid} marker={selected} /> : null}
        {!draft && !selected && uid !== undefined && state === 'ready' ? <p role="alert">{t('vr.marker.gone')}</p> : null}
        {!draft && !selected && state === 'loading' ? <LoadingState label={t('vr.markers.loading')} /> : null}
        {!draft && !selected && state === 'failed' ? <FailedState title={t('vr.markers.failed')} message={t('vr.failedHint')} onRetry={() => store.opened && void markers.load(store.opened.tour.location)} /> : null}
        {!draft && !selected && state === 'ready' && here.length === 0 ? <EmptyState title={t('vr.markers.none')} message={t('vr.markers.noneHint')} /> : null}
        {!draft && !selected && here.length > 0 ? (
          <ul className={styles.list}>
            {here.map((marker) => (
              <li key={marker.uid}>
                <button type="button" className={styles.row} onClick={() => store.setLayer(markerLayer, marker.uid)}>
                  {marker.name}
                  <span className={styles.kind}>{t('vr.marker.about', { kind: t(`vr.marker.kind.${marker.kind}`), shape: t(`vr.marker.shape.${marker.shape}`) })}</span>
                </button>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </aside>
  );
});
