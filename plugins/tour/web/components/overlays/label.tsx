import { useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { distanceBetween } from '#core';
import { makeStyles, mergeClasses } from '#core/ui';
import type { SurfaceLabelProps } from '#plugins/tour';
import { ranks } from './label-layout.ts';
import { labelHeight, labelPadding, placeLabel, formatTransform } from './place-label.ts';
import { useSurfaceScope } from './surface-context.ts';
import { labelFont, truncateText, measureWidth } from './text-width.ts';

/** A canvas cannot read the theme's font, which is a CSS variable. */
const family =
  "'Segoe UI', 'Segoe UI Web (West European)', -apple-system, BlinkMacSystemFont, Roboto, 'Helvetica Neue', sans-serif";

/** Opacity of a label whose mark is occluded. */
const faint = 0.6;

const useStyles = makeStyles({
  // Light on dark in every theme: pictures have any brightness.
  label: {
    transitionProperty: 'opacity',
    transitionDuration: '120ms',
    '@media (prefers-reduced-motion: reduce)': { transitionDuration: '0s' },
  },
  back: { fill: 'rgba(20, 20, 20, 0.82)', stroke: 'rgba(255, 255, 255, 0.28)', strokeWidth: '1px' },
  chosen: { stroke: '#ffd24d', strokeWidth: '2px' },
  words: {
    fill: '#fff',
    fontSize: `${labelFont.size}px`,
    fontFamily: family,
    fontWeight: labelFont.weight,
    fontVariantNumeric: 'tabular-nums',
  },
});

/**
 * Text next to a mark on a picture: kept clear of covered areas, shortened if there is little room, hidden under more
 * important labels.
 */
export function Label({ id, words, anchor, point, rank: rankName }: SurfaceLabelProps) {
  const { labels: layout, tools } = useSurfaceScope();
  const styles = useStyles();
  const group = useRef<SVGGElement>(null);
  const rank = ranks[rankName];
  const { free } = layout;
  const placed = placeLabel(anchor, measureWidth(words, family), free, layout.getSide(id));
  const short = placed ? truncateText(words, placed.maxTextWidth, family) : words;
  const width = Math.min(placed?.box.width ?? 0, measureWidth(short, family) + 2 * labelPadding);
  const across =
    placed && anchor.mode === 'beside' && rank !== ranks.making
      ? placeLabel(anchor, measureWidth(words, family), free, placed.side === 'left' ? 'right' : 'left')
      : undefined;
  const other =
    across && across.side !== placed?.side && across.box.width >= width
      ? {
          ...across.box,
          width,
          left: across.side === 'left' ? across.box.left + across.box.width - width : across.box.left,
        }
      : undefined;
  const left = placed
    ? anchor.mode === 'beside' && placed.side === 'left'
      ? placed.box.left + placed.box.width - width
      : placed.box.left
    : 0;
  // On each frame, because the position changes with it.
  useLayoutEffect(() => {
    if (group.current && placed)
      layout.set(
        {
          id,
          box: { ...placed.box, left, width },
          other,
          rank,
          distance: tools.position && point ? distanceBetween(tools.position, point) : 0,
          element: group.current,
          x: anchor.x,
          y: anchor.y,
          opacity: rank === ranks.behind ? faint : 1,
        },
        placed.side,
      );
    else layout.delete(id);
  });
  useLayoutEffect(() => () => layout.delete(id), [layout, id]);
  if (!placed) return null;
  return createPortal(
    <g
      ref={group}
      className={styles.label}
      style={{ opacity: 0 }}
      data-label
      transform={formatTransform({ ...placed.box, left })}
    >
      <rect
        className={mergeClasses(styles.back, rankName === 'chosen' && styles.chosen)}
        width={width}
        height={labelHeight}
        rx={5}
      />
      <text
        className={styles.words}
        x={labelPadding}
        y={labelHeight - 7}
        {...(short === words
          ? {}
          : { 'data-words': words, 'data-width': measureWidth(words, family) + 2 * labelPadding })}
      >
        {short}
      </text>
    </g>,
    layout.layer,
  );
}
