import { reaction } from 'mobx';
import { normalizePan } from '#core';
import type { PanoramaEngine, TourTools } from '#plugins/tour';
import type { AlignmentEditor } from './alignment-editor.ts';

/** Author id of the views that the picture sets. */
const author = 'tour.alignment';

/** Link between the two views. */
export interface ViewLink {
  /**
   * `together`: both views turn together. `turn`: dragging the picture changes its heading, and the 3D view does not
   * turn. `apart`: the views turn independently.
   */
  readonly mode: 'together' | 'turn' | 'apart';
}

/**
 * Keeps the 3D view at the position of the pose and in the direction of the picture. The engine draws the picture with
 * the saved heading `shownHeading`, which differs from the heading of the pose. Returns the function that disconnects.
 */
export function connectViews(
  engine: PanoramaEngine,
  shownHeading: number,
  { tools, editor, link }: { readonly tools: TourTools; readonly editor: AlignmentEditor; readonly link: ViewLink },
): () => void {
  const getOffset = (): number => editor.pose.heading - shownHeading;
  const reportView = (): void => {
    const { pan, tilt, fov } = engine.view;
    tools.setView({ pan: normalizePan(pan + getOffset()), tilt, fov }, author);
  };
  const handleViewChanged = (): void => {
    const { pan, tilt, fov } = engine.view;
    if (link.mode === 'together') reportView();
    if (link.mode !== 'turn') return;
    tools.setView({ tilt, fov }, author);
    editor.turn(tools.view.pan - pan + shownHeading);
  };
  const disposers = [
    engine.on('viewChanged', handleViewChanged),
    reaction(
      () => editor.pose.heading,
      () => {
        // Only the heading changes. The person continues to look at the same part of the picture.
        if (link.mode === 'together') reportView();
      },
    ),
    reaction(
      () => editor.pose.position,
      (position) => tools.setPosition(position),
      { fireImmediately: true },
    ),
    reaction(
      () => ({ view: tools.view, viewAuthor: tools.viewAuthor }),
      ({ view, viewAuthor }) => {
        if (viewAuthor === author || link.mode !== 'together') return;
        engine.setView({ ...view, pan: normalizePan(view.pan - getOffset()) });
      },
    ),
  ];
  return () => {
    for (const dispose of disposers) dispose();
  };
}
