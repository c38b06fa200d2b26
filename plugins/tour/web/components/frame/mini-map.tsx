import { useEffect, useRef } from 'react';
import { autorun } from 'mobx';
import { observer } from 'mobx-react-lite';
import { radians } from '#core';
import { makeStyles, mergeClasses, Select, tokens, Tooltip } from '#core/ui';
import { useService, useText } from '#core/web';
import { toPlan, TourStore, TourTools, type Deck, type TourNode } from '#plugins/tour';
import { useGlass } from './use-glass.ts';

const useStyles = makeStyles({
  map: { position: 'relative', width: 'min(288px, calc(100vw - 88px))', padding: '4px', overflow: 'hidden' },
  picture: {
    position: 'relative',
    borderRadius: tokens.borderRadiusMedium,
    overflow: 'hidden',
    backgroundColor: tokens.colorNeutralBackground3,
  },
  image: { width: '100%', height: '100%', display: 'block' },
  cone: {
    position: 'absolute',
    width: '96px',
    height: '96px',
    marginLeft: '-48px',
    marginTop: '-48px',
    pointerEvents: 'none',
    color: tokens.colorBrandBackground,
  },
  node: {
    position: 'absolute',
    width: '24px',
    height: '24px',
    marginLeft: '-12px',
    marginTop: '-12px',
    display: 'grid',
    placeItems: 'center',
    padding: 0,
    border: 'none',
    backgroundColor: 'transparent',
    cursor: 'pointer',
    borderRadius: tokens.borderRadiusCircular,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
    '::before': {
      content: '""',
      width: '12px',
      height: '12px',
      borderRadius: tokens.borderRadiusCircular,
      backgroundColor: tokens.colorNeutralBackground1,
      border: `2px solid ${tokens.colorNeutralForeground1}`,
    },
  },
  visited: { '::before': { backgroundColor: tokens.colorNeutralForeground3 } },
  current: {
    '::before': {
      width: '14px',
      height: '14px',
      backgroundColor: tokens.colorBrandBackground,
      border: `2px solid ${tokens.colorNeutralForegroundOnBrand}`,
    },
  },
  deck: { width: '100%', marginTop: '4px' },
});

/**
 * The plan of the deck with its nodes and the view direction. Visited nodes and the current node are highlighted.
 * `withImage` is false until the image of the plan may be fetched.
 */
export const MiniMap = observer(function MiniMap({
  deck,
  withImage,
}: {
  readonly deck: Deck;
  readonly withImage: boolean;
}) {
  const styles = useStyles();
  const glass = useGlass();
  const t = useText();
  const store = useService(TourStore);
  const { currentNode, visitedNodes } = store;
  const decks = store.opened?.decks ?? [];
  const nodes = store.nodes.filter((node) => node.deck === deck.uid);
  const { plan } = deck;
  return (
    <section
      aria-label={t('tour.map', { deck: deck.name })}
      className={mergeClasses(glass.glass, glass.rounded, styles.map)}
    >
      <div className={styles.picture} style={{ aspectRatio: `${plan.width} / ${plan.height}` }}>
        {withImage ? (
          <img className={styles.image} src={plan.address} alt="" decoding="async" fetchPriority="low" />
        ) : null}
        {currentNode?.deck === deck.uid ? <Cone deck={deck} node={currentNode} /> : null}
        {nodes.map((node) => {
          const { x, y } = toPlan(plan, node.position);
          const isCurrent = node === currentNode;
          const isVisited = visitedNodes.includes(node.uid);
          return (
            <Tooltip
              key={node.uid}
              content={isVisited && !isCurrent ? t('tour.visitedPlace', { name: node.name }) : node.name}
              relationship="label"
            >
              <button
                type="button"
                className={mergeClasses(styles.node, isVisited && styles.visited, isCurrent && styles.current)}
                style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
                onClick={() => store.goTo(node.uid)}
                {...(isCurrent ? { 'aria-current': 'location' as const } : {})}
              />
            </Tooltip>
          );
        })}
      </div>
      {decks.length > 1 ? (
        <Select
          className={styles.deck}
          size="small"
          aria-label={t('tour.deck')}
          value={deck.uid}
          onChange={(_, { value }) => store.setMapLevel(value)}
        >
          {decks.map(({ uid, name }) => (
            <option key={uid} value={uid}>
              {name}
            </option>
          ))}
        </Select>
      ) : null}
    </section>
  );
});

/** The cone of the view direction. It is rotated without React, because the view changes with every frame. */
function Cone({ deck, node }: { readonly deck: Deck; readonly node: TourNode }) {
  const styles = useStyles();
  const tools = useService(TourTools);
  const cone = useRef<SVGPathElement>(null);
  const { plan } = deck;
  const { x: left, y: top } = toPlan(plan, node.position);
  useEffect(
    () =>
      autorun(() => {
        const { pan, fov } = tools.view;
        const halfWidth = Math.atan(Math.tan(radians(fov) / 2) * (window.innerWidth / Math.max(1, window.innerHeight)));
        const x = 44 * Math.sin(halfWidth);
        const y = 44 * Math.cos(halfWidth);
        cone.current?.setAttribute(
          'd',
          `M48 48 ${(48 - x).toFixed(1)} ${(48 - y).toFixed(1)}A44 44 0 0 1 ${(48 + x).toFixed(1)} ` +
            `${(48 - y).toFixed(1)}Z`,
        );
        cone.current?.setAttribute('transform', `rotate(${(pan - plan.heading).toFixed(1)} 48 48)`);
      }),
    [tools, plan],
  );
  return (
    <svg
      className={styles.cone}
      style={{ left: `${left * 100}%`, top: `${top * 100}%` }}
      viewBox="0 0 96 96"
      aria-hidden="true"
    >
      <path ref={cone} fill="currentColor" fillOpacity="0.45" stroke="currentColor" />
    </svg>
  );
}
