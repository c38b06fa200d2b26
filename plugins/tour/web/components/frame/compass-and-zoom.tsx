import { useEffect, useRef } from 'react';
import { autorun } from 'mobx';
import { Button, makeStyles, mergeClasses, tokens, Tooltip } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourTools } from '#plugins/tour';
import { MinusIcon, PlusIcon } from '../icons.tsx';
import { useGlass } from './use-glass.ts';

const useStyles = makeStyles({
  corner: { display: 'grid', justifyItems: 'center', gap: '8px' },
  zoom: { display: 'grid', padding: '2px' },
  button: { minWidth: '40px', height: '40px', '@media (pointer: coarse)': { minWidth: '44px', height: '44px' } },
  compass: { width: '48px', minWidth: '48px', height: '48px', borderRadius: tokens.borderRadiusCircular, padding: 0 },
  dial: { width: '40px', height: '40px' },
  north: { fill: tokens.colorPaletteRedForeground1 },
  south: { fill: tokens.colorNeutralForeground3 },
  letter: { fill: tokens.colorNeutralForeground1, fontSize: '11px', fontWeight: 600 },
});

/** Factor of the field of view for one step of zooming in. */
const zoomStep = 0.75;

/** Compass and zoom buttons for modules with a view direction. */
export function CompassAndZoom() {
  const styles = useStyles();
  const glass = useGlass();
  const t = useText();
  const tools = useService(TourTools);
  const zoom = (factor: number) => tools.look({ fov: tools.view.fov * factor }, true);
  return (
    <div className={styles.corner}>
      <Tooltip content={t('tour.compass')} relationship="label" positioning="before">
        <Button
          className={mergeClasses(glass.glass, styles.compass)}
          appearance="subtle"
          onClick={() => tools.look({ pan: 0 }, true)}
        >
          <Dial />
        </Button>
      </Tooltip>
      <div className={mergeClasses(glass.glass, glass.rounded, styles.zoom)}>
        <Tooltip content={t('tour.zoomIn')} relationship="label" positioning="before">
          <Button className={styles.button} appearance="subtle" icon={<PlusIcon />} onClick={() => zoom(zoomStep)} />
        </Tooltip>
        <Tooltip content={t('tour.zoomOut')} relationship="label" positioning="before">
          <Button
            className={styles.button}
            appearance="subtle"
            icon={<MinusIcon />}
            onClick={() => zoom(1 / zoomStep)}
          />
        </Tooltip>
      </div>
    </div>
  );
}

/** The dial of the compass. It is rotated without React, because the view changes with every frame. */
function Dial() {
  const styles = useStyles();
  const tools = useService(TourTools);
  const dial = useRef<SVGGElement>(null);
  useEffect(
    () => autorun(() => dial.current?.setAttribute('transform', `rotate(${(-tools.view.pan).toFixed(1)} 20 20)`)),
    [tools],
  );
  return (
    <svg className={styles.dial} viewBox="0 0 40 40" aria-hidden="true">
      <g ref={dial}>
        <path className={styles.north} d="M20 12 24 20H16Z" />
        <path className={styles.south} d="M20 32 16 22H24Z" />
        <text className={styles.letter} x="20" y="10" textAnchor="middle">
          N
        </text>
      </g>
    </svg>
  );
}
