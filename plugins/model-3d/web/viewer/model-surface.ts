import { when } from 'mobx';
import type { ViewSurface } from '#plugins/tour';
import { modelModule } from '../../contract/index.ts';
import type { ModelEngine } from './engine-types.ts';
import type { ModelViewStore } from '../stores/model-view-store.ts';

/** Creates the surface on which the measuring and annotating tools pick points of the model. */
export function createModelSurface(host: HTMLElement, engine: ModelEngine, modelView: ModelViewStore): ViewSurface {
  return {
    module: modelModule,
    host,
    fitsApproachedTag: true,
    ready: () => when(() => modelView.tree.objects.length > 0),
    pick: (x, y) => {
      const hit = engine.pick(x, y);
      if (!hit) return Promise.resolve(undefined);
      const tag = modelView.tree.objects[modelView.tree.findSelectable(hit.object)]?.tag;
      return Promise.resolve(tag === undefined ? hit : Object.assign(hit, { tag }));
    },
    findSurfacePoints: (pick, radius) => Promise.resolve(engine.findSurfacePoints(pick, radius)),
    mesh: (pick, radius) => Promise.resolve(engine.mesh(pick, radius)),
    toPixel: (point) => engine.toPixel(point),
    sees: (point) => engine.sees(point),
    onChanged: (listener) => engine.on('frame', listener),
    takePicture: () => engine.takePicture(),
  };
}
