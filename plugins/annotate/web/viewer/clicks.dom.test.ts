import { beforeEach, describe, expect, it } from 'vitest';
import { AnnotationDraft } from '../annotations/stores/annotation-draft.ts';
import { MeasurementDraft } from '../measure/stores/measurement-draft.ts';
import { FakeSurface } from '../../testing/web/fake-surface.ts';
import type { CameraState } from './camera-state.ts';

const initialView: CameraState = { eye: [0, 0, 1.7], view: { pan: 0, tilt: 0, fov: 60 } };

/** Builds a surface that is loading until `finishLoading` is called. */
function buildLoadingSurface(): { readonly surface: FakeSurface; readonly finishLoading: () => void } {
  const surface = new FakeSurface();
  let finishLoading = (): void => undefined;
  surface.loading = new Promise((resolve) => (finishLoading = resolve));
  return { surface, finishLoading: () => finishLoading() };
}

describe.each(['measuring', 'annotating'] as const)('a click while %s on a picture that is still loading', (kind) => {
  let view: CameraState;
  let tool: MeasurementDraft | AnnotationDraft;

  beforeEach(() => {
    view = initialView;
    if (kind === 'measuring') {
      const measurementDraft = new MeasurementDraft();
      measurementDraft.connect({
        listSnapTargets: () => [],
        findEye: () => view.eye,
        captureCameraState: () => view,
        onCompleted: () => undefined,
      });
      measurementDraft.choose('DISTANCE');
      tool = measurementDraft;
    } else {
      const annotationDraft = new AnnotationDraft(
        () => view.eye,
        () => view,
      );
      annotationDraft.choose('DISTANCE');
      tool = annotationDraft;
    }
  });

  it('[TOUR-08] [TOUR-09] adds a point, even if the same view is reported again', async () => {
    const { surface, finishLoading } = buildLoadingSurface();
    const click = tool.addPointAtPixel(surface, 400, 300);
    view = { eye: [0, 0.001, 1.7], view: { pan: 359.99, tilt: 0.01, fov: 60 } };
    finishLoading();
    await click;
    expect(tool.points.map(({ point }) => point[1])).toEqual([5]);
  });

  it.each<[string, CameraState]>([
    ['turned', { ...initialView, view: { ...initialView.view, pan: 350 } }],
    ['zoomed', { ...initialView, view: { ...initialView.view, fov: 40 } }],
    ['moved', { ...initialView, eye: [0, 4, 1.7] }],
  ])('[TOUR-08] [TOUR-09] is ignored if the camera has %s, and the next click adds a point', async (_, newAim) => {
    const { surface, finishLoading } = buildLoadingSurface();
    const click = tool.addPointAtPixel(surface, 400, 300);
    view = newAim;
    finishLoading();
    await click;
    expect([tool.points, surface.pickCount]).toEqual([[], 0]);
    await tool.addPointAtPixel(surface, 400, 300);
    expect(tool.points).toHaveLength(1);
  });

  it('[TOUR-08] [TOUR-09] is ignored after the tool ended', async () => {
    const { surface, finishLoading } = buildLoadingSurface();
    const click = tool.addPointAtPixel(surface, 400, 300);
    tool.cancel();
    finishLoading();
    await click;
    expect([tool.points, surface.pickCount]).toEqual([[], 0]);
  });

  it('[TOUR-08] [TOUR-09] is replaced by a click on another surface', async () => {
    const { surface: loadingSurface, finishLoading } = buildLoadingSurface();
    const first = tool.addPointAtPixel(loadingSurface, 400, 300);
    await tool.addPointAtPixel(new FakeSurface(), 400, 300);
    expect(tool.points).toHaveLength(1);
    finishLoading();
    await first;
    expect([tool.points.length, loadingSurface.pickCount]).toEqual([1, 0]);
  });
});
