// Draws range images from points, in a thread of its own.
import { parentPort } from 'node:worker_threads';
import { drawSurfaces } from './draw-surfaces.mjs';
import { SpacingGrid } from './spacing-grid.mjs';
import { ViewPoints } from './view-points.mjs';

let views = [];
let spacings = new SpacingGrid();

const steps = {
  open: ({ views: openedViews }) => {
    views = openedViews.map((view) => new ViewPoints(view));
    spacings = new SpacingGrid();
  },
  count: ({ points }) => spacings.count(points),
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
  const value = steps[step](input);
  parentPort.postMessage(value, value ? [value.buffer] : []);
});
