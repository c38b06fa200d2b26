import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { Suspense, useEffect, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { HttpClient } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { useLoaded } from '../router/loaded.ts';
import { ErrorBoundary } from '../router/screen-boundary.tsx';

/** Seconds between two steps of the animation (requirement RTE-06). */
export const launchStepSeconds = 0.4;

/** Points of a path through the plant, the nearest first, each as x, y and radius in the drawing. */
const walk = [
  [34, 104, 9],
  [86, 84, 7.5],
  [142, 92, 6],
  [178, 62, 5],
  [146, 40, 4],
] as const;

const formatDelay = (steps: number) => `${(launchStepSeconds * steps).toFixed(1)}s`;
const appear = {
  from: { opacity: 0, transform: 'scale(0.4)' },
  '18%': { opacity: 1, transform: 'scale(1)' },
  '82%': { opacity: 1, transform: 'scale(1)' },
  to: { opacity: 0, transform: 'scale(1)' },
};

const useStyles = makeStyles({
  root: {
    display: 'grid',
    justifyItems: 'center',
    rowGap: tokens.spacingVerticalL,
    color: tokens.colorBrandForeground1,
  },
  drawing: { width: 'min(220px, 60vw)', height: 'auto', aspectRatio: '220 / 140' },
  step: {
    transformBox: 'fill-box',
    transformOrigin: 'center',
    animationName: appear,
    animationDuration: formatDelay(walk.length + 2),
    animationIterationCount: 'infinite',
    animationTimingFunction: tokens.curveEasyEase,
    animationFillMode: 'both',
    '@media (prefers-reduced-motion: reduce)': { animationName: 'none' },
  },
  step0: { animationDelay: formatDelay(0) },
  step1: { animationDelay: formatDelay(1) },
  step2: { animationDelay: formatDelay(2) },
  step3: { animationDelay: formatDelay(3) },
  step4: { animationDelay: formatDelay(4) },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    color: tokens.colorNeutralForeground2,
  },
});

export interface LaunchAnimationProps {
  /**
   * Path of an animation description (Lottie JSON) on our server. Without it, or if it fails to load, the built-in
   * animation plays.
   */
  readonly source?: string | undefined;
  /** `h1` if the animation is the whole screen. */
  readonly heading?: 'h1';
}

/** The animation that is shown while the code of a screen loads. */
export function LaunchAnimation({ source, heading }: LaunchAnimationProps) {
  const Title = heading ?? 'p';
  const styles = useStyles();
  const text = useText();
  const builtIn = <BuiltInAnimation />;
  return (
    <div className={styles.root} role="status">
      {source === undefined ? (
        builtIn
      ) : (
        <ErrorBoundary name="core.launchAnimation" fallback={() => builtIn}>
          <Suspense fallback={builtIn}>
            <DescribedAnimation source={source} />
          </Suspense>
        </ErrorBoundary>
      )}
      <Title className={styles.title}>{text('core.launch.title')}</Title>
    </div>
  );
}

function BuiltInAnimation() {
  const styles = useStyles();
  const stepStyles = [styles.step0, styles.step1, styles.step2, styles.step3, styles.step4];
  return (
    <svg className={styles.drawing} viewBox="0 0 220 140" fill="none" stroke="currentColor" aria-hidden="true">
      <path
        d={`M${walk.map(([x, y]) => `${x} ${y}`).join('L')}`}
        strokeWidth="2"
        strokeDasharray="1 8"
        strokeLinecap="round"
        opacity=".5"
      />
      {walk.map(([x, y, radius], index) => (
        <g key={x} className={mergeClasses(styles.step, stepStyles[index])}>
          <circle cx={x} cy={y} r={radius * 1.9} fill="currentColor" stroke="none" opacity=".15" />
          <circle cx={x} cy={y} r={radius} fill="currentColor" stroke="none" />
        </g>
      ))}
    </svg>
  );
}

const loadPlayer = () => import('./animation-player.tsx');

function DescribedAnimation({ source }: { readonly source: string }) {
  const http = useService(HttpClient);
  const [description, setDescription] = useState<unknown>();
  const Player = useLoaded('core/web/ui/animation-player', loadPlayer);
  useEffect(() => {
    const controller = new AbortController();
    http.raw<unknown>({ method: 'GET', url: source, signal: controller.signal }).then(setDescription, () => undefined);
    return () => controller.abort();
  }, [http, source]);
  return description === undefined ? <BuiltInAnimation /> : <Player description={description} />;
}
