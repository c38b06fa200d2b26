// Computes range images from points in a worker thread.
import { parentPort } from 'node:worker_threads';
import { drawSurfaces } from './draw-surfaces.mjs';
import { SpacingGrid } from './spacing-grid.mjs';
import { NearestPoints } from './nearest-points.mjs';

let views = [];
let spacings = new SpacingGrid();

const handlers = {
  open: ({ views: openedViews }) => {
    views = openedViews.map((view) => new NearestPoints(view));
    spacings = new SpacingGrid();
  },
  count: ({ points }) => spacings.countPoints(points),
  add: ({ points }) => {
    for (const view of views) view.add(points, spacings);
  },
  read: ({ view }) => {
    const ranges = drawSurfaces(views[view]);
    views[view] = undefined;
    return ranges;
  },
};

parentPort.on('message', ({ step, ...input }) => {
  const ranges = handlers[step](input);
  parentPort.postMessage(ranges, ranges ? [ranges.buffer] : []);
});
