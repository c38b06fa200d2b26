import { when } from 'mobx';
import { useEffect, useRef } from 'react';
import { toPanTilt, type Point3 } from '#core';
import { useService } from '#core/web';
import { TourLayout, TourStore, TourTools, ViewSurfaces, type TagDetails } from '#plugins/tour';
import { turnIntoArea, type ViewDirection } from '../../viewer/math/turn-into-area.ts';

/** Turns the view once after the person selected a tag that panels cover. */
export function useTurnToCoveredTag(selectedTag: NonNullable<TourStore['selectedTag']>): void {
  const store = useService(TourStore);
  const tools = useService(TourTools);
  const layout = useService(TourLayout);
  const surfaces = useService(ViewSurfaces);
  const handledUid = useRef<string>(undefined);
  const { details, restored } = selectedTag;
  useEffect(() => {
    if (!details || handledUid.current === details.uid) return undefined;
    if (restored) {
      handledUid.current = details.uid;
      return undefined;
    }
    const findSurface = () => surfaces.all.find(({ module }) => module === store.category);
    let frameRequest = 0;
    const turnInNextFrame = (): void => {
      // The panel has its final size in the next frame.
      frameRequest = requestAnimationFrame(turn);
    };
    const turn = (): void => {
      handledUid.current = details.uid;
      const { host, fitsApproachedTag } = findSurface() ?? {};
      if (fitsApproachedTag && isApproached(details, store)) return;
      const target = findDirection(details, store.currentNode?.uid, tools.position);
      if (!host || !target) return;
      const { requestedView } = tools;
      // A search has already requested a turn to the tag.
      const isTurning = requestedView?.pan === target.pan && requestedView.tilt === target.tilt;
      const view = isTurning ? { ...tools.view, ...requestedView } : tools.view;
      const size = { width: host.clientWidth, height: host.clientHeight };
      const direction = turnIntoArea(target, view, size, layout.findFreeArea(host));
      if (direction) tools.look({ ...direction, fov: view.fov }, true);
    };
    // A link selects its tag before the picture is loaded.
    const stopWaiting = when(() => findSurface() !== undefined, turnInNextFrame);
    return () => {
      stopWaiting();
      cancelAnimationFrame(frameRequest);
    };
  }, [details, restored, store, tools, layout, surfaces]);
}

/** True if the tour went to the tag, and only one module is on screen. */
const isApproached = ({ number }: TagDetails, { approachedTag, category, secondaryModule }: TourStore): boolean =>
  approachedTag?.number === number && approachedTag.module === category && secondaryModule === undefined;

/** Finds the direction from the node or the eye to the tag. */
function findDirection(
  { seenFrom, position }: TagDetails,
  node: string | undefined,
  eye: Point3 | undefined,
): ViewDirection | undefined {
  const tagView = seenFrom.find((view) => view.node === node);
  if (tagView) return tagView;
  if (!position || !eye) return undefined;
  return toPanTilt([position[0] - eye[0], position[1] - eye[1], position[2] - eye[2]]);
}
