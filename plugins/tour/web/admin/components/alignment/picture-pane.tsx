import { observer } from 'mobx-react-lite';
import { autorun } from 'mobx';
import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { minus, normalizePan, computeShortestTurn, toDirection } from '#core';
import { FailedState, PictureNotes, Switch } from '#core/ui';
import { useService, useText } from '#core/web';
import {
  PanoramaEngines,
  TourTools,
  WebGlUnavailable,
  type PanoramaEngine,
  type PanoramaPicture,
  type PanoramaShape,
} from '#plugins/tour';
import { toAxes, toCameraFrame, toSiteFrame } from '../../../../common/alignment/camera-pose.ts';
import type { AlignmentEditor } from '../../stores/alignment/alignment-editor.ts';
import { connectViews, type ViewLink } from '../../stores/alignment/connect-views.ts';
import { listenToClicks } from '../../stores/alignment/listen-to-clicks.ts';
import { useAlignmentStyles } from './use-alignment-styles.ts';

export interface PicturePaneProps {
  readonly editor: AlignmentEditor;
  /** `heading` is the heading with which the picture is drawn. */
  readonly picture: PanoramaPicture;
}

/** The panorama, in which points are marked. */
export const PicturePane = observer(function PicturePane({ editor, picture }: PicturePaneProps) {
  const t = useText();
  const styles = useAlignmentStyles();
  const { residualLine } = styles;
  const engines = useService(PanoramaEngines);
  const tools = useService(TourTools);
  const host = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<'failed' | 'noWebGl'>();
  const [isLost, setLost] = useState(false);
  const [shownEngine, setShownEngine] = useState<PanoramaEngine>();
  const [attempt, setAttempt] = useState(0);
  const [isByKeyboard, setIsByKeyboard] = useState(false);
  const [areViewsLinked, setViewsLinked] = useState(true);
  const [isTurning, setTurning] = useState(false);
  const hasTies = editor.ties.length > 0;
  const link = useMemo((): { mode: ViewLink['mode'] } => ({ mode: 'together' }), []);
  useEffect(() => {
    link.mode = isTurning && !hasTies ? 'turn' : areViewsLinked ? 'together' : 'apart';
  }, [link, areViewsLinked, isTurning, hasTies]);
  const label = t('tour.align.picture');
  const shownHeading = picture.heading;

  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    try {
      const engine = engines.getEngine('tour.alignment');
      const detach = engine.attach(element, { label, first: picture });
      const offset = editor.pose.heading - shownHeading;
      const view = { ...tools.view, pan: normalizePan(tools.view.pan - offset) };
      void engine.show(picture, { view }).then((isShown) => {
        if (isShown) setShownEngine(engine);
      });
      const disposers = [
        detach,
        engine.on('failed', () => setFailure('failed')),
        engine.on('contextLost', () => setLost(true)),
        engine.on('contextRestored', () => setLost(false)),
        connectViews(engine, shownHeading, { tools, editor, link }),
        listenToClicks(element, ({ x, y }, isKey) => {
          setIsByKeyboard(isKey);
          const { pan, tilt } = engine.directionAt(x, y);
          editor.markDirection({ pan: computeShortestTurn(shownHeading, pan), tilt });
        }),
        autorun(() => {
          engine.setShapes(buildShapes(editor, shownHeading, residualLine));
        }),
      ];
      return () => {
        for (const dispose of disposers.toReversed()) dispose();
      };
    } catch (cause) {
      if (!(cause instanceof WebGlUnavailable)) throw cause;
      queueMicrotask(() => setFailure('noWebGl'));
      return undefined;
    }
  }, [engines, tools, editor, picture, shownHeading, label, link, residualLine, attempt]);

  const retry = (): void => {
    setFailure(undefined);
    setAttempt(attempt + 1);
  };
  return (
    <section className={styles.pane} aria-labelledby="align-picture">
      <div className={styles.paneHead}>
        <h2 id="align-picture" className={styles.paneTitle}>
          {label}
        </h2>
        <Switch
          label={t('tour.align.together')}
          checked={areViewsLinked}
          onChange={(_, { checked }) => setViewsLinked(checked)}
        />
        <Switch
          label={t('tour.align.turn')}
          checked={isTurning && !hasTies}
          disabled={hasTies}
          onChange={(_, { checked }) => setTurning(checked)}
        />
      </div>
      <div className={styles.picture} onFocus={(event) => setIsByKeyboard(event.target.matches(':focus-visible'))}>
        <div ref={host} className={styles.fill} />
        {shownEngine ? <PictureMarks editor={editor} engine={shownEngine} shownHeading={shownHeading} /> : null}
        {isByKeyboard || (isTurning && !hasTies) ? <div className={styles.crosshair} aria-hidden="true" /> : null}
        {failure ? (
          <div className={styles.state}>
            {failure === 'noWebGl' ? (
              <FailedState title={t('tour.align.noWebGl')} message={t('tour.align.noWebGlHint')} />
            ) : (
              <FailedState title={t('tour.align.pictureFailed')} message={t('tour.align.again')} onRetry={retry} />
            )}
          </div>
        ) : null}
        <PictureNotes graphicsLost={isLost} onRetry={retry} />
      </div>
    </section>
  );
});

interface PictureMarksProps {
  readonly editor: AlignmentEditor;
  readonly engine: PanoramaEngine;
  readonly shownHeading: number;
}

/** Draws numbered circles at the ties, and a circle at a marked direction without a point. */
const PictureMarks = observer(function PictureMarks({ editor, engine, shownHeading }: PictureMarksProps) {
  const styles = useAlignmentStyles();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const disposers = [engine.on('viewChanged', redraw), engine.on('resized', redraw)];
    return () => {
      for (const dispose of disposers) dispose();
    };
  }, [engine]);
  const { ties, direction, fit } = editor;
  const marks = [
    ...ties.map(({ pan, tilt }, index) => ({
      text: String(index + 1),
      pan,
      tilt,
      isOutlier: fit?.outliers[index] === true,
    })),
    ...(direction ? [{ text: '+', ...direction, isOutlier: false }] : []),
  ];
  return (
    <svg className={styles.marks} aria-hidden="true">
      {marks.map(({ text, pan, tilt, isOutlier }) => {
        const pixel = engine.toPixel(normalizePan(shownHeading + pan), tilt);
        return pixel ? (
          <g
            key={text}
            transform={`translate(${pixel.x} ${pixel.y})`}
            className={isOutlier ? styles.outlier : undefined}
          >
            <circle r="8" />
            <text x="11" y="5">
              {text}
            </text>
          </g>
        ) : null;
      })}
    </svg>
  );
});

/** For each tie, builds a line from its marked direction to the direction of its point in the fitted pose. */
function buildShapes({ ties, cameraPose }: AlignmentEditor, shownHeading: number, className: string): PanoramaShape[] {
  const cameraAxes = toAxes(cameraPose);
  const shownAxes = toAxes({ heading: shownHeading, pitch: 0, roll: 0 });
  return ties.map(({ id, pan, tilt, point }) => ({
    id: String(id),
    corners: [
      toDirection(shownHeading + pan, tilt),
      toSiteFrame(shownAxes, toCameraFrame(cameraAxes, minus(point, cameraPose.position))),
    ],
    closed: false,
    label: '',
    name: '',
    className,
  }));
}
