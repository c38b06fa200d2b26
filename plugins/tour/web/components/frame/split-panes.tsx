import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { clamp } from '#core';
import { makeStyles, tokens } from '#core/ui';
import { ContributedComponent, useService, useText } from '#core/web';
import type { TourModule } from '#plugins/tour';
import { FrameLayout } from '../../stores/dom-tour-layout.ts';
import { phone, phoneQuery } from './use-glass.ts';
import { useMediaQuery } from './use-media-query.ts';

const useStyles = makeStyles({
  panes: { position: 'absolute', inset: 0, display: 'flex', [phone]: { flexDirection: 'column' } },
  pane: { position: 'relative', flexGrow: 1, flexBasis: 0, minWidth: 0, minHeight: 0, overflow: 'clip' },
  divider: {
    position: 'relative',
    flexShrink: 0,
    width: '6px',
    backgroundColor: tokens.colorNeutralBackground1,
    cursor: 'col-resize',
    touchAction: 'none',
    outlineOffset: '-2px',
    ':hover': { backgroundColor: tokens.colorBrandBackground },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
    // The touch target is wider than the visible divider.
    '::before': { content: '""', position: 'absolute', inset: '0 -19px', zIndex: 1 },
    [phone]: { width: 'auto', height: '6px', cursor: 'row-resize', '::before': { inset: '-19px 0' } },
  },
  handle: {
    position: 'absolute',
    left: '1px',
    top: 'calc(50% - 20px)',
    width: '4px',
    height: '40px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorNeutralStroke1Hover,
    '@media (forced-colors: active)': { backgroundColor: 'CanvasText' },
    [phone]: { left: 'calc(50% - 20px)', top: '1px', width: '40px', height: '4px' },
  },
});

/** Limits of the fraction of the first pane. `snap` is the distance from 0.5 at which it snaps to 0.5. */
const limits = { min: 0.2, max: 0.8, snap: 0.02 } as const;
const keyStep = 0.05;

export const snapFraction = (fraction: number): number =>
  Math.abs(fraction - 0.5) <= limits.snap ? 0.5 : clamp(fraction, limits.min, limits.max);

export interface SplitPanesProps {
  readonly activeModule: TourModule;
  readonly secondaryModule: TourModule | undefined;
  /** Fraction of the width (on a phone, of the height) of the active module. */
  readonly fraction: number;
  readonly onFractionChange: (fraction: number) => void;
}

/** The active module. A split view also has a divider and the secondary module, to the right or, on a phone, below. */
export function SplitPanes({ activeModule, secondaryModule, fraction, onFractionChange }: SplitPanesProps) {
  const styles = useStyles();
  const t = useText();
  const { addRegion } = useService(FrameLayout);
  const root = useRef<HTMLDivElement>(null);
  const stacked = useMediaQuery(phoneQuery);
  const handleDrag = (event: PointerEvent<HTMLDivElement>): void => {
    const box = root.current?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    onFractionChange(
      snapFraction(stacked ? (event.clientY - box.top) / box.height : (event.clientX - box.left) / box.width),
    );
  };
  const handleKey = (event: KeyboardEvent<HTMLDivElement>): void => {
    const nextFraction = {
      ArrowLeft: fraction - keyStep,
      ArrowUp: fraction - keyStep,
      ArrowRight: fraction + keyStep,
      ArrowDown: fraction + keyStep,
      Home: limits.min,
      End: limits.max,
      Enter: 0.5,
    }[event.key];
    if (nextFraction === undefined) return;
    event.preventDefault();
    onFractionChange(clamp(nextFraction, limits.min, limits.max));
  };
  const renderPane = (module: TourModule, grow: number) => (
    <div key={module.id} ref={addRegion} className={styles.pane} style={{ flexGrow: grow }}>
      <ContributedComponent contribution={module} load={module.load} props={{}} />
    </div>
  );
  return (
    <div ref={root} className={styles.panes}>
      {[
        renderPane(activeModule, secondaryModule ? fraction : 1),
        ...(secondaryModule
          ? [
              <div
                key="divider"
                role="separator"
                aria-label={t('tour.divider')}
                aria-orientation={stacked ? 'horizontal' : 'vertical'}
                aria-valuemin={limits.min * 100}
                aria-valuemax={limits.max * 100}
                aria-valuenow={Math.round(fraction * 100)}
                tabIndex={0}
                className={styles.divider}
                onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
                onPointerMove={handleDrag}
                onDoubleClick={() => onFractionChange(0.5)}
                onKeyDown={handleKey}
              >
                <span className={styles.handle} />
              </div>,
              renderPane(secondaryModule, 1 - fraction),
            ]
          : []),
      ]}
    </div>
  );
}
