import { useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { distanceBetween } from '#core';
import { makeStyles, mergeClasses } from '#core/ui';
import type { SurfaceLabelProps } from '#plugins/tour';
import { rankValues } from './label-layout.ts';
import { labelHeightPx, labelPaddingPx, placeLabel, formatTransform } from './place-label.ts';
import { useSurfaceScope } from './surface-context.ts';
import { labelFont, truncateText, measureWidth } from './text-width.ts';

/** A canvas cannot read the theme's font, which is a CSS variable. */
const fontFamily =
  "'Segoe UI', 'Segoe UI Web (West European)', -apple-system, BlinkMacSystemFont, Roboto, 'Helvetica Neue', sans-serif";

/** Opacity of a label whose shape is occluded. */
const occludedOpacity = 0.6;

const useStyles = makeStyles({
  // Light text on a dark background is legible on pictures of any brightness, in every theme.
  label: {
    transitionProperty: 'opacity',
    transitionDuration: '120ms',
    '@media (prefers-reduced-motion: reduce)': { transitionDuration: '0s' },
  },
  back: { fill: 'rgba(20, 20, 20, 0.82)', stroke: 'rgba(255, 255, 255, 0.28)', strokeWidth: '1px' },
  chosen: { stroke: '#ffd24d', strokeWidth: '2px' },
  text: {
    fill: '#fff',
    fontSize: `${labelFont.size}px`,
    fontFamily,
    fontWeight: labelFont.weight,
    fontVariantNumeric: 'tabular-nums',
  },
});

/**
 * Text next to a shape on a picture. It avoids covered areas, is shortened if there is little room, and is hidden if it
 * overlaps a more important label.
 */
export function Label({ id, text, anchor, point, rank: rankName }: SurfaceLabelProps) {
  const { labels: layout, tools } = useSurfaceScope();
  const styles = useStyles();
  const group = useRef<SVGGElement>(null);
  const rank = rankValues[rankName];
  const { freeArea } = layout;
  const placedLabel = placeLabel(anchor, measureWidth(text, fontFamily), freeArea, layout.getSide(id));
  const visibleText = placedLabel ? truncateText(text, placedLabel.maxTextWidth, fontFamily) : text;
  const width = Math.min(placedLabel?.box.width ?? 0, measureWidth(visibleText, fontFamily) + 2 * labelPaddingPx);
  const opposite =
    placedLabel && anchor.mode === 'beside' && rank !== rankValues.making
      ? placeLabel(anchor, measureWidth(text, fontFamily), freeArea, placedLabel.side === 'left' ? 'right' : 'left')
      : undefined;
  const alternative =
    opposite && opposite.side !== placedLabel?.side && opposite.box.width >= width
      ? {
          ...opposite.box,
          width,
          left: opposite.side === 'left' ? opposite.box.left + opposite.box.width - width : opposite.box.left,
        }
      : undefined;
  const isRightAligned = anchor.mode === 'beside' && placedLabel?.side === 'left';
  const left = (placedLabel?.box.left ?? 0) + (placedLabel && isRightAligned ? placedLabel.box.width - width : 0);
  // Runs after each render, because the position changes with each frame.
  useLayoutEffect(() => {
    if (group.current && placedLabel)
      layout.set(
        {
          id,
          box: { ...placedLabel.box, left, width },
          alternative,
          rank,
          distance: tools.position && point ? distanceBetween(tools.position, point) : 0,
          element: group.current,
          x: anchor.x,
          y: anchor.y,
          opacity: rank === rankValues.behind ? occludedOpacity : 1,
        },
        placedLabel.side,
      );
    else layout.delete(id);
  });
  useLayoutEffect(() => () => layout.delete(id), [layout, id]);
  if (!placedLabel) return null;
  return createPortal(
    <g
      ref={group}
      className={styles.label}
      style={{ opacity: 0 }}
      data-label
      transform={formatTransform({ ...placedLabel.box, left })}
    >
      <rect
        className={mergeClasses(styles.back, rankName === 'chosen' && styles.chosen)}
        width={width}
        height={labelHeightPx}
        rx={5}
      />
      <text
        className={styles.text}
        x={labelPaddingPx}
        y={labelHeightPx - 7}
        {...(visibleText === text
          ? {}
          : { 'data-words': text, 'data-width': measureWidth(text, fontFamily) + 2 * labelPaddingPx })}
      >
        {visibleText}
      </text>
    </g>,
    layout.layer,
  );
}
