import { useEffect, useRef, useState } from 'react';
import { minus, toPanTilt, vectorLength, type Point3 } from '#core';
import { Button, LoadingState, makeStyles, MessageBar, MessageBarBody, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useService, useText } from '#core/web';
import { PanoramaEngines, WebGlUnavailable, type PanoramaEngine, type TourNode } from '#plugins/tour';

/** A longer movement of the pointer is a drag, not a click. */
const maxClickMovePx = 6;

const useStyles = makeStyles({
  host: {
    position: 'relative',
    height: 'clamp(220px, 52dvh, 560px)',
    backgroundColor: '#000',
    borderRadius: tokens.borderRadiusLarge,
    overflow: 'hidden',
    cursor: 'crosshair',
  },
  crosshair: {
    position: 'absolute',
    top: '50%',
    left: '50%',
    width: '28px',
    height: '28px',
    transform: 'translate(-50%, -50%)',
    pointerEvents: 'none',
    border: '2px solid #fff',
    borderRadius: '50%',
    boxShadow: '0 0 0 2px #000, inset 0 0 0 2px #000',
    '::after': {
      content: '""',
      position: 'absolute',
      inset: '10px',
      backgroundColor: '#fff',
      boxShadow: '0 0 0 1px #000',
      borderRadius: '50%',
    },
  },
  mark: {
    width: '20px',
    height: '20px',
    padding: 0,
    border: '3px solid #fff',
    borderRadius: '50%',
    backgroundColor: tokens.colorPaletteRedBackground3,
    boxShadow: '0 0 0 2px #000',
    pointerEvents: 'none',
  },
});

export interface PickViewProps {
  readonly node: TourNode;
  /** Accessible name of the picture. */
  readonly label: string;
  /** A point to mark, with its label. */
  readonly mark: { readonly point: Point3; readonly label: string } | undefined;
  readonly busy: boolean;
  /** Called with a direction in degrees. */
  readonly onPick: (pan: number, tilt: number) => void;
}

/** The panorama of a viewpoint. A click, or the button for the crosshair in the middle, picks a direction. */
export function PickView({ node, label, mark, busy, onPick }: PickViewProps) {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const engines = useService(PanoramaEngines);
  const host = useRef<HTMLDivElement>(null);
  const engine = useRef<PanoramaEngine>(undefined);
  const [state, setState] = useState<'loading' | 'shown' | 'failed' | 'noWebGl'>('loading');
  const onPickRef = useRef(onPick);
  const lookAtPoint = useRef(mark?.point);
  useEffect(() => {
    onPickRef.current = onPick;
    lookAtPoint.current = mark?.point;
  });

  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const openedEngine = engines.getEngine('tour.place');
    let detach: () => void;
    try {
      detach = openedEngine.attach(element, { label });
    } catch (error) {
      if (!(error instanceof WebGlUnavailable)) throw error;
      setState('noWebGl');
      return undefined;
    }
    engine.current = openedEngine;
    const stopListening = listenToClicks(element, (x, y) => {
      const { pan, tilt } = openedEngine.directionAt(x, y);
      onPickRef.current(pan, tilt);
    });
    return () => {
      stopListening();
      detach();
      engine.current = undefined;
    };
  }, [engines, label]);

  useEffect(() => {
    const { picture, heading, position, view } = node;
    if (!picture || !engine.current) return undefined;
    let isCurrent = true;
    setState('loading');
    void engine.current
      .show(
        { tiles: picture, heading, position },
        { view: { ...(findDirection(position, lookAtPoint.current) ?? view), fov: 75 } },
      )
      .then((shown) => (isCurrent ? setState(shown ? 'shown' : 'failed') : undefined));
    return () => {
      isCurrent = false;
    };
  }, [node]);

  useEffect(() => {
    const direction = findDirection(node.position, mark?.point);
    engine.current?.setPins(
      mark && direction
        ? [
            {
              id: 'mark',
              ...direction,
              label: mark.label,
              className: styles.mark,
              render: () => undefined,
              onActivate: () => undefined,
            },
          ]
        : [],
    );
  }, [mark, node, styles.mark]);

  const pickCentre = (): void => {
    const view = engine.current?.view;
    if (view && !busy) onPick(view.pan, view.tilt);
  };
  return (
    <>
      {state === 'failed' || state === 'noWebGl' ? (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{t(state === 'failed' ? 'tour.tags.pictureFailed' : 'tour.tags.noWebGl')}</MessageBarBody>
        </MessageBar>
      ) : null}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the engine's element has the role and the focus */}
      <div
        ref={host}
        className={styles.host}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.target instanceof HTMLButtonElement) return;
          event.preventDefault();
          pickCentre();
        }}
      >
        {state === 'loading' ? <LoadingState /> : <div className={styles.crosshair} aria-hidden />}
      </div>
      <div className={styles.actions}>
        <Button disabled={busy || state !== 'shown'} onClick={pickCentre}>
          {t('tour.tags.pickCentre')}
        </Button>
        <p className={styles.note}>{t('tour.tags.pickHint')}</p>
      </div>
    </>
  );
}

/** Computes pan and tilt to a point, degrees. Undefined if the eye is at the point. */
function findDirection(eye: Point3, point: Point3 | undefined) {
  const ray = point && minus(point, eye);
  return ray && vectorLength(ray) > 0 ? toPanTilt(ray) : undefined;
}

/** Reports clicks, but not drags, in pixels of the element. */
function listenToClicks(element: HTMLElement, onClick: (x: number, y: number) => void): () => void {
  let start: { readonly x: number; readonly y: number } | undefined;
  const handleDown = ({ clientX: x, clientY: y }: PointerEvent): void => {
    start = { x, y };
  };
  const handleUp = ({ clientX, clientY, button }: PointerEvent): void => {
    const { left, top } = element.getBoundingClientRect();
    if (start && button === 0 && Math.hypot(clientX - start.x, clientY - start.y) < maxClickMovePx)
      onClick(clientX - left, clientY - top);
    start = undefined;
  };
  element.addEventListener('pointerdown', handleDown, true);
  element.addEventListener('pointerup', handleUp, true);
  return () => {
    element.removeEventListener('pointerdown', handleDown, true);
    element.removeEventListener('pointerup', handleUp, true);
  };
}
