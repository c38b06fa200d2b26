import { beforeEach, describe, expect, it } from 'vitest';
import { Placing } from '../annotations/stores/placing.ts';
import { Measuring } from '../measure/stores/measuring.ts';
import { FakeSurface } from '../../testing/web/fake-surface.ts';
import type { Aim } from './get-aim.ts';

const ahead: Aim = { eye: [0, 0, 1.7], view: { pan: 0, tilt: 0, fov: 60 } };

/** A surface whose picture is ready when `come` is called. */
function waitingSurface(): { readonly surface: FakeSurface; readonly come: () => void } {
  const surface = new FakeSurface();
  let come = (): void => undefined;
  surface.fetched = new Promise((resolve) => (come = resolve));
  return { surface, come: () => come() };
}

describe.each(['measuring', 'annotating'] as const)('a click while %s on a picture that is still loading', (kind) => {
  let aim: Aim;
  let tool: Measuring | Placing;

  beforeEach(() => {
    aim = ahead;
    if (kind === 'measuring') {
      const measuring = new Measuring();
      measuring.connect({ targets: () => [], eye: () => aim.eye, aim: () => aim, onMeasured: () => undefined });
      measuring.choose('DISTANCE');
      tool = measuring;
    } else {
      const placing = new Placing(
        () => aim.eye,
        () => aim,
      );
      placing.choose('DISTANCE');
      tool = placing;
    }
  });

  it('[TOUR-08] [TOUR-09] counts, also if the same view is reported again', async () => {
    const { surface, come } = waitingSurface();
    const click = tool.addAt(surface, 400, 300);
    aim = { eye: [0, 0.001, 1.7], view: { pan: 359.99, tilt: 0.01, fov: 60 } };
    come();
    await click;
    expect(tool.points.map(({ point }) => point[1])).toEqual([5]);
  });

  it.each<[string, Aim]>([
    ['turned', { ...ahead, view: { ...ahead.view, pan: 350 } }],
    ['zoomed', { ...ahead, view: { ...ahead.view, fov: 40 } }],
    ['walked on', { ...ahead, eye: [0, 4, 1.7] }],
  ])('[TOUR-08] [TOUR-09] is ignored if the camera has %s, and the next click counts', async (_, later) => {
    const { surface, come } = waitingSurface();
    const click = tool.addAt(surface, 400, 300);
    aim = later;
    come();
    await click;
    expect([tool.points, surface.picks]).toEqual([[], 0]);
    await tool.addAt(surface, 400, 300);
    expect(tool.points).toHaveLength(1);
  });

  it('[TOUR-08] [TOUR-09] picks nothing after the tool ended', async () => {
    const { surface, come } = waitingSurface();
    const click = tool.addAt(surface, 400, 300);
    tool.cancel();
    come();
    await click;
    expect([tool.points, surface.picks]).toEqual([[], 0]);
  });

  it('[TOUR-08] [TOUR-09] keeps the tool active if the picture never loads and another one is clicked', async () => {
    const { surface: gone, come } = waitingSurface();
    const first = tool.addAt(gone, 400, 300);
    await tool.addAt(new FakeSurface(), 400, 300);
    expect(tool.points).toHaveLength(1);
    come();
    await first;
    expect([tool.points.length, gone.picks]).toEqual([1, 0]);
  });
});
