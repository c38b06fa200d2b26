import { useState } from 'react';
import { observer } from 'mobx-react-lite';
import { toPanTilt, type Point3 } from '#core';
import { Button, Link, makeStyles, tokens } from '#core/ui';
import { Access, useFormats, useService, useText } from '#core/web';
import { TourStore, TourTools } from '#plugins/tour';
import type { Marker } from '#plugins/vr';
import { markerLayer, MarkerStore } from '../stores/marker-store.ts';

const useStyles = makeStyles({
  root: { display: 'grid', gap: '12px', justifyItems: 'start' },
  text: { margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  meta: {
    margin: 0,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    color: tokens.colorNeutralForeground2,
  },
  row: { display: 'flex', flexWrap: 'wrap', gap: '8px' },
  file: { overflowWrap: 'anywhere', display: 'inline-block', padding: '6px 0' },
});

/** Shows text and target of a marker. Admins edit and delete it here. */
export const MarkerDetails = observer(function MarkerDetails({ marker }: { readonly marker: Marker }) {
  const styles = useStyles();
  const t = useText();
  const formats = useFormats(marker.location);
  const store = useService(TourStore);
  const tools = useService(TourTools);
  const markers = useService(MarkerStore);
  const access = useService(Access);
  const [deletion, setDeletion] = useState<'confirming' | 'sending' | 'failed'>();
  const { kind, target, file } = marker;
  const node = store.currentNode;
  const isVisible = node !== undefined && marker.seenFrom.includes(node.uid);
  const nearestNode = store.nodes
    .filter(({ uid }) => marker.seenFrom.includes(uid))
    .toSorted((a, b) => computeDistance(a.position, marker) - computeDistance(b.position, marker))[0];
  const lookAtMarker = (): void => {
    const viewpoint = isVisible ? node : nearestNode;
    if (!viewpoint) return;
    const view = toPanTilt(computeRay(viewpoint.position, marker));
    if (viewpoint === node) tools.look(view, true);
    else store.goTo(viewpoint.uid, view);
  };
  const deleteMarker = async (): Promise<void> => {
    setDeletion('sending');
    try {
      await markers.deleteMarker(marker);
      store.setLayer(markerLayer, undefined);
    } catch {
      setDeletion('failed');
    }
  };
  const targetName = kind === 'HOTSPOT' ? store.nodes.find(({ uid }) => uid === target)?.name : target;
  return (
    <div className={styles.root}>
      <p className={styles.meta}>
        {t('vr.marker.about', { kind: t(`vr.marker.kind.${kind}`), shape: t(`vr.marker.shape.${marker.shape}`) })}
      </p>
      {marker.text === '' ? null : <p className={styles.text}>{marker.text}</p>}
      {file ? (
        <Link className={styles.file} href={file.address} target="_blank" rel="noopener">
          {t('vr.marker.file', { name: file.name, size: formats.bytes(file.bytes) })}
        </Link>
      ) : null}
      {kind === 'DOCUMENT' && target !== null ? (
        <Link className={styles.file} href={target} target="_blank" rel="noopener noreferrer">
          {target}
        </Link>
      ) : null}
      {kind === 'DOCUMENT' && !file && target === null ? <p role="alert">{t('vr.marker.fileGone')}</p> : null}
      <div className={styles.row}>
        {kind === 'TAG' && target !== null ? (
          <Button appearance="primary" onClick={() => void store.selectTag(target)}>
            {t('vr.marker.toTag', { number: target })}
          </Button>
        ) : null}
        {kind === 'HOTSPOT' && target !== null && targetName !== undefined ? (
          <Button appearance="primary" onClick={() => store.goTo(target)}>
            {t('vr.goTo', { name: targetName ?? '' })}
          </Button>
        ) : null}
        {isVisible || nearestNode ? <Button onClick={lookAtMarker}>{t('vr.marker.look')}</Button> : null}
        <Button appearance="subtle" onClick={() => store.setLayer(markerLayer, undefined)}>
          {t('vr.markers.here')}
        </Button>
      </div>
      <p className={styles.meta}>
        {t('vr.marker.author', { author: marker.author, at: formats.instant(marker.updatedAt) })}
      </p>
      {access.has('configure') ? (
        <div className={styles.row}>
          <Button onClick={() => markers.edit(marker)}>{t('vr.marker.edit')}</Button>
          {deletion === undefined ? (
            <Button onClick={() => setDeletion('confirming')}>{t('vr.marker.delete')}</Button>
          ) : null}
          {deletion === 'confirming' || deletion === 'sending' ? (
            <>
              <Button appearance="primary" disabled={deletion === 'sending'} onClick={() => void deleteMarker()}>
                {t('vr.marker.deleteReally')}
              </Button>
              <Button appearance="subtle" onClick={() => setDeletion(undefined)}>
                {t('vr.marker.cancel')}
              </Button>
            </>
          ) : null}
          {deletion === 'failed' ? (
            <span role="alert">
              {t('vr.marker.deleteFailed')} <Button onClick={() => void deleteMarker()}>{t('vr.compare.retry')}</Button>
            </span>
          ) : null}
        </div>
      ) : null}
    </div>
  );
});

/** Computes the vector from the eye to the centre of the corners, in metres. */
function computeRay(eye: Point3, { points }: Marker): Point3 {
  const computeMean = (axis: 0 | 1 | 2): number =>
    points.reduce((sum, point) => sum + point[axis], 0) / points.length - eye[axis];
  return [computeMean(0), computeMean(1), computeMean(2)];
}

const computeDistance = (eye: Point3, marker: Marker): number => Math.hypot(...computeRay(eye, marker));
