import { useEffect, useRef, useState, type MouseEvent, type RefObject } from 'react';
import { autorun } from 'mobx';
import { observer } from 'mobx-react-lite';
import { toRadians } from '#core';
import {
  Button,
  makeStyles,
  maxZoom,
  mergeClasses,
  moveWindow,
  tokens,
  Tooltip,
  toWindow,
  usePictureGestures,
  windowKeys,
  zoomWindow,
  type PictureWindow,
  type SetWindow,
} from '#core/ui';
import { useService, useText } from '#core/web';
import { computePlanFrame, toPlan, TourStore, TourTools, type Deck, type DeckPlan } from '#plugins/tour';
import { findNearestGroup, groupNodes, type NodeGroup } from './group-nodes.ts';
import { computeFirstWindow } from './plan-window.ts';

const useStyles = makeStyles({
  root: {
    position: 'relative',
    overflow: 'clip',
    touchAction: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
  },
  image: { position: 'absolute', maxWidth: 'none', display: 'block', pointerEvents: 'none' },
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
    transform: 'translate(-50%, -50%)',
    display: 'grid',
    placeItems: 'center',
    padding: 0,
    border: 'none',
    backgroundColor: 'transparent',
    cursor: 'pointer',
    borderRadius: tokens.borderRadiusCircular,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
    // The touch target is larger than the button. If targets overlap, a tap selects the nearest button.
    '@media (pointer: coarse)': { '::after': { content: '""', position: 'absolute', inset: '-10px' } },
    '::before': {
      content: '""',
      width: '12px',
      height: '12px',
      borderRadius: tokens.borderRadiusCircular,
      backgroundColor: tokens.colorNeutralBackground1,
      border: `2px solid ${tokens.colorNeutralForeground1}`,
    },
  },
  large: { width: '44px', height: '44px', '@media (pointer: coarse)': { '::after': { inset: 0 } } },
  visited: { '::before': { backgroundColor: tokens.colorNeutralForeground3 } },
  current: {
    '::before': {
      width: '14px',
      height: '14px',
      backgroundColor: tokens.colorBrandBackground,
      border: `2px solid ${tokens.colorNeutralForegroundOnBrand}`,
    },
  },
  zoom: { display: 'flex', justifyContent: 'center', gap: '8px', margin: '8px' },
  zoomButton: { minWidth: '44px', minHeight: '44px' },
  group: {
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
    color: tokens.colorNeutralForeground1,
    backgroundColor: tokens.colorNeutralBackground1,
    border: `2px solid ${tokens.colorNeutralForeground1}`,
    '::before': { display: 'none' },
  },
});

/** Cell sizes for grouping buttons, equal to the sizes of the styles `node` and `large`. */
const cellPx = { small: 22, large: 40 } as const;
/** Factor by which a click on a group zooms in. */
const groupZoomFactor = 2.5;
/** Width that is used until the element is measured. */
const miniMapWidthPx = 280;

/** Size of the image of a plan, pixels. */
interface PlanSize {
  readonly width: number;
  readonly height: number;
}

export interface PlanViewProps {
  readonly deck: Deck;
  /** True if the image of the plan may be fetched. */
  readonly withImage: boolean;
  /** Makes buttons large enough for fingers. */
  readonly large: boolean;
  readonly onChosen?: () => void;
}

/**
 * The plan of a deck with its nodes and the view direction. Zooms and pans by wheel, fingers and keys. Overlapping
 * nodes are grouped. The plan of a large deck starts at the current node.
 */
export const PlanView = observer(function PlanView({ deck, withImage, large, onChosen }: PlanViewProps) {
  const styles = useStyles();
  const t = useText();
  const store = useService(TourStore);
  const root = useRef<HTMLDivElement>(null);
  const { currentNode, visitedNodes } = store;
  const nodes = store.nodes.filter((node) => node.deck === deck.uid);
  const plan = deck.plan ?? computePlanFrame(nodes.map(({ position }) => position));
  const nodeOnDeck = currentNode?.deck === deck.uid ? currentNode : undefined;
  const [planWindow, setWindow] = usePlanWindow(
    deck.uid,
    nodes.length,
    nodeOnDeck ? toPlan(plan, nodeOnDeck.position) : undefined,
  );
  const { width, height } = useSize(root, plan);
  usePictureGestures(root, setWindow, windowKeys);
  const placedNodes = nodes.flatMap((node) => {
    const { x, y } = toWindow(planWindow, toPlan(plan, node.position));
    return x >= 0 && x <= 1 && y >= 0 && y <= 1 ? [{ node, x: x * width, y: y * height }] : [];
  });
  const choose = ({ nodes: [node, ...others], x, y }: NodeGroup): void => {
    if (!node) return;
    // At the maximum zoom, viewpoints at the same position are still grouped. A click opens the first one.
    if (others.length > 0 && planWindow.zoom < maxZoom)
      return setWindow(zoomWindow(centreWindow(planWindow, x / width, y / height), groupZoomFactor));
    store.goTo(node.uid);
    onChosen?.();
  };
  const corner = toWindow(planWindow, { x: 0, y: 0 });
  const origin = { x: corner.x * width, y: corner.y * height };
  const groups = groupNodes(placedNodes, large ? cellPx.large : cellPx.small, nodeOnDeck, origin);
  const handleClick = ({ detail, clientX, clientY }: MouseEvent, clickedGroup: NodeGroup): void => {
    const box = root.current?.getBoundingClientRect();
    // A click by a key has no pointer position.
    const nearest = box && detail > 0 ? findNearestGroup(groups, clientX - box.left, clientY - box.top) : undefined;
    choose(nearest ?? clickedGroup);
  };
  return (
    <>
      <div
        ref={root}
        role="group"
        tabIndex={-1}
        aria-label={t('tour.plan', { deck: deck.name })}
        className={styles.root}
        style={{
          aspectRatio: `${plan.width} / ${plan.height}`,
          // Limits a large plan to the height between the title and the buttons of its dialog.
          ...(large ? { width: `min(100%, calc((96vh - 240px) * ${plan.width / plan.height}))`, margin: 'auto' } : {}),
        }}
      >
        {withImage && deck.plan ? (
          <img
            className={styles.image}
            style={{
              width: `${planWindow.zoom * 100}%`,
              height: `${planWindow.zoom * 100}%`,
              left: `${corner.x * 100}%`,
              top: `${corner.y * 100}%`,
            }}
            src={deck.plan.address}
            alt=""
            decoding="async"
            fetchPriority="low"
            draggable={false}
          />
        ) : null}
        {nodeOnDeck ? <Cone plan={plan} at={toWindow(planWindow, toPlan(plan, nodeOnDeck.position))} /> : null}
        {groups.map((group) => {
          const [node] = group.nodes;
          if (!node) return null;
          const isGroup = group.nodes.length > 1;
          const isCurrent = node === currentNode;
          const isVisited = !isGroup && visitedNodes.includes(node.uid);
          const name = isVisited && !isCurrent ? t('tour.visitedPlace', { name: node.name }) : node.name;
          return (
            <Tooltip
              key={node.uid}
              content={isGroup ? t('tour.placesHere', { count: group.nodes.length }) : name}
              relationship="label"
            >
              <button
                type="button"
                className={mergeClasses(
                  styles.node,
                  large && styles.large,
                  isGroup && styles.group,
                  isVisited && styles.visited,
                  isCurrent && styles.current,
                )}
                style={{ left: `${(group.x / width) * 100}%`, top: `${(group.y / height) * 100}%` }}
                onClick={(event) => handleClick(event, group)}
                {...(isCurrent ? { 'aria-current': 'location' as const } : {})}
              >
                {isGroup ? group.nodes.length : null}
              </button>
            </Tooltip>
          );
        })}
      </div>
      {large ? (
        <div className={styles.zoom}>
          {(['+', '-'] as const).map((key) => (
            <Button
              key={key}
              className={styles.zoomButton}
              aria-label={t(key === '+' ? 'tour.zoomIn' : 'tour.zoomOut')}
              onClick={() => setWindow((current) => windowKeys[key]?.(current) ?? current)}
            >
              <span aria-hidden="true">{key === '+' ? '+' : '−'}</span>
            </Button>
          ))}
        </div>
      ) : null}
    </>
  );
});

/** Moves a window so that one of its points (in fractions) is in the middle. */
const centreWindow = (planWindow: PictureWindow, x: number, y: number): PictureWindow =>
  moveWindow(planWindow, x - 0.5, y - 0.5);

/** Returns the window of a plan. It starts around the current node, and follows a node that leaves the window. */
function usePlanWindow(
  deck: string,
  nodeCount: number,
  nodeOnDeck: { readonly x: number; readonly y: number } | undefined,
): readonly [PictureWindow, SetWindow] {
  const [state, setState] = useState<{ readonly deck: string; readonly window: PictureWindow }>();
  const firstWindow = computeFirstWindow(nodeCount, nodeOnDeck ?? { x: 0.5, y: 0.5 });
  const planWindow = state?.deck === deck ? state.window : firstWindow;
  const setWindow: SetWindow = (next) =>
    setState((previous) => {
      const currentWindow = previous?.deck === deck ? previous.window : firstWindow;
      return { deck, window: typeof next === 'function' ? next(currentWindow) : next };
    });
  const nodeKey = nodeOnDeck && `${nodeOnDeck.x} ${nodeOnDeck.y}`;
  const [followedNodeKey, setFollowedNodeKey] = useState(nodeKey);
  if (nodeKey !== followedNodeKey) {
    setFollowedNodeKey(nodeKey);
    const { x, y } = toWindow(planWindow, nodeOnDeck ?? { x: 0.5, y: 0.5 });
    if (nodeOnDeck && (x < 0.1 || x > 0.9 || y < 0.1 || y > 0.9)) setWindow(centreWindow(planWindow, x, y));
  }
  return [planWindow, setWindow];
}

/** Measures the size of an element, pixels. Returns the size of the mini map until it is measured. */
function useSize(
  element: RefObject<HTMLElement | null>,
  plan: PlanSize,
): { readonly width: number; readonly height: number } {
  const [width, setWidth] = useState(miniMapWidthPx);
  useEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const resizeObserver = new ResizeObserver(() => setWidth(current.clientWidth || miniMapWidthPx));
    resizeObserver.observe(current);
    return () => resizeObserver.disconnect();
  }, [element]);
  return { width, height: (width * plan.height) / plan.width };
}

/** The cone of the view direction. It is rotated without React, because the view changes with every frame. */
function Cone({
  plan,
  at,
}: {
  readonly plan: Pick<DeckPlan, 'heading'>;
  readonly at: { readonly x: number; readonly y: number };
}) {
  const styles = useStyles();
  const tools = useService(TourTools);
  const cone = useRef<SVGPathElement>(null);
  useEffect(
    () =>
      autorun(() => {
        const { pan, fov } = tools.view;
        const halfAngle = Math.atan(
          Math.tan(toRadians(fov) / 2) * (window.innerWidth / Math.max(1, window.innerHeight)),
        );
        const x = 44 * Math.sin(halfAngle);
        const y = 44 * Math.cos(halfAngle);
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
      style={{ left: `${at.x * 100}%`, top: `${at.y * 100}%` }}
      viewBox="0 0 96 96"
      aria-hidden="true"
    >
      <path ref={cone} fill="currentColor" fillOpacity="0.45" stroke="currentColor" />
    </svg>
  );
}
