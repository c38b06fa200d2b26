import { observer } from 'mobx-react-lite';
import { useId, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { makeStyles, mergeClasses, tokens, useRestoreFocusTarget } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import type { ContentLink } from '../../../../contract/api/tour-content.ts';
import { fromDrawing, toDrawing, type DrawingPoint } from '../../stores/plan-frame.ts';
import type { PlanGestures, PointerSample } from '../../stores/plan-gestures.ts';
import type { PlanView } from '../../stores/plan-view.ts';
import { handlePlanKey, type PlanKeyActions } from '../../stores/plan-keys.ts';
import { listLabelledUids } from '../../stores/list-labels.ts';
import { useSiteLengths } from '../../stores/site-lengths.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';
import { GridMark, LinkMark, NodeMark } from './plan-marks.tsx';
import { PlanScale } from './plan-scale.tsx';
import { usePlanView } from './use-plan-view.ts';

const useStyles = makeStyles({
  root: {
    position: 'relative',
    height: 'clamp(280px, 60dvh, 640px)',
    overflow: 'clip',
    touchAction: 'none',
    userSelect: 'none',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground3,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '2px' },
  },
  adding: { cursor: 'crosshair' },
  svg: { display: 'block', width: '100%', height: '100%' },
  box: {
    fill: 'rgba(255, 255, 255, 0.3)',
    stroke: tokens.colorBrandBackground,
    strokeWidth: '2px',
    vectorEffect: 'non-scaling-stroke',
  },
});

export interface ViewpointPlanProps extends PlanKeyActions {
  readonly label: string;
  readonly editor: ViewpointEditor;
  readonly view: PlanView;
  readonly gestures: PlanGestures;
  readonly proposals: readonly ContentLink[];
}

/** The plan of a deck. Viewpoints and links are edited by pointer and keyboard. */
export const ViewpointPlan = observer(function ViewpointPlan({
  label,
  editor,
  view,
  gestures,
  proposals,
  ...actions
}: ViewpointPlanProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const formats = useFormats();
  const lengths = useSiteLengths(editor.location);
  const hintId = useId();
  const [failedImage, setFailedImage] = useState<string>();
  const root = useRef<HTMLDivElement>(null);
  usePlanView(root, view, editor);
  const opener = useRestoreFocusTarget();
  const { area, image } = view.frame;
  const { viewBox } = view;
  const { selectionBox, handleNodeUid } = gestures;
  const { nodes, links, selected, selection } = editor;
  const pointByUid = new Map(nodes.map((node) => [node.uid, toDrawing(area, node.position)]));
  const labelledUids = listLabelledUids(nodes, pointByUid, selected, viewBox.unitsPerPx);
  const [east, north] = fromDrawing(area, { x: 0, y: 0 });
  const [firstSelected] = selection;
  // Selected viewpoints are drawn last, so that others do not cover them.
  const inDrawingOrder = [...nodes.filter(({ uid }) => !selected.has(uid)), ...selection];

  const toSample = (event: PointerEvent): PointerSample => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return {
      id: event.pointerId,
      x: event.clientX - left,
      y: event.clientY - top,
      isTouch: event.pointerType === 'touch',
      shift: event.shiftKey,
      alt: event.altKey,
    };
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    const isAborted = event.key === 'Escape' && gestures.abort();
    if (!isAborted && !handlePlanKey(event, editor, view, actions)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const application = {
    ...opener,
    role: 'application',
    tabIndex: 0,
    'aria-label': label,
    'aria-describedby': hintId,
    onKeyDown: handleKeyDown,
    // Moves by keys are saved after a pause, or immediately when the focus leaves the plan.
    onBlur: () => editor.saveNow(),
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture?.(event.pointerId);
      gestures.pointerDown(toSample(event));
    },
    onPointerMove: (event: PointerEvent) => gestures.pointerMove(toSample(event)),
    onPointerUp: (event: PointerEvent) => gestures.pointerUp(toSample(event)),
    onPointerCancel: (event: PointerEvent) => gestures.cancel(toSample(event)),
  };
  return (
    <div>
      <div ref={root} className={mergeClasses(styles.root, gestures.tool === 'add' && styles.adding)} {...application}>
        <svg
          className={styles.svg}
          viewBox={`${viewBox.x} ${viewBox.y} ${viewBox.width} ${viewBox.height}`}
          style={{ '--units-per-px': viewBox.unitsPerPx } as React.CSSProperties}
          aria-hidden="true"
        >
          {image ? (
            <image
              href={area.address}
              {...image}
              preserveAspectRatio="none"
              onError={() => setFailedImage(area.address)}
              onLoad={() => setFailedImage(undefined)}
            />
          ) : (
            <GridMark box={viewBox} scale={area.scale} east={east} north={north} />
          )}
          {links.map(({ a, b, kind }) => (
            <LinkMark key={`${a} ${b}`} {...toEnds(pointByUid, a, b)} kind={kind} isProposal={false} />
          ))}
          {proposals.map(({ a, b, kind }) => (
            <LinkMark key={`${a} ${b}`} {...toEnds(pointByUid, a, b)} kind={kind} isProposal />
          ))}
          {inDrawingOrder.map(({ uid, code, heading, hasPanorama }) => (
            <NodeMark
              key={uid}
              {...(pointByUid.get(uid) ?? fallbackPoint)}
              rotation={heading - area.heading}
              code={labelledUids.has(uid) ? code : undefined}
              selected={selected.has(uid)}
              hasPanorama={hasPanorama}
              hasHandle={uid === handleNodeUid}
            />
          ))}
          {selectionBox ? <rect {...selectionBox} className={styles.box} /> : null}
        </svg>
        <PlanScale location={editor.location} metresPerPx={viewBox.unitsPerPx * area.scale} heading={area.heading} />
      </div>
      <p className={adminStyles.note} role="alert">
        {image && failedImage === area.address ? t('tour.content.plan.failed') : null}
      </p>
      <p id={hintId} className={adminStyles.note}>
        {t('tour.content.plan.hint')}
      </p>
      <p className={adminStyles.note} role="status">
        {firstSelected === undefined
          ? null
          : selection.length > 1
            ? t('tour.content.selected', { count: selection.length })
            : t('tour.content.selectedOne', {
                code: firstSelected.code,
                name: firstSelected.name,
                east: lengths.coordinate(firstSelected.position[0]),
                north: lengths.coordinate(firstSelected.position[1]),
                up: lengths.coordinate(firstSelected.position[2]),
                unit: lengths.symbol,
                heading: formats.number(firstSelected.heading, 2),
              })}
      </p>
    </div>
  );
});

const fallbackPoint: DrawingPoint = { x: 0, y: 0 };

function toEnds(pointByUid: ReadonlyMap<string, DrawingPoint>, a: string, b: string) {
  const [from, to] = [pointByUid.get(a) ?? fallbackPoint, pointByUid.get(b) ?? fallbackPoint];
  return { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
}
