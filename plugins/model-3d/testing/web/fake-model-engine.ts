import { ContainerModule } from 'inversify';
import { Emitter, type Point3 } from '#core';
import type { CameraView, CameraMode } from '#plugins/tour';
import type {
  Appearance3d,
  AttachOptions,
  ModelEngine,
  ModelEngineEvents,
  ModelHit,
  ModelStatistics,
} from '../../web/viewer/engine-types.ts';
import type { Box, ModelContent, ModelObject, TilesState } from '../../web/viewer/model-content.ts';
import { ModelViewStore } from '../../web/stores/model-view-store.ts';
import { ModelEngines } from '../../web/viewer/model-engines.ts';
import { ModelCache } from '../../web/viewer/model-cache.ts';

/** Replaces the engine, because jsdom has no WebGL. Records its calls. */
export class FakeModelEngine implements ModelEngine {
  view: CameraView = { position: [0, 0, 0], pan: 0, tilt: 0, fov: 75 };
  readonly statistics: ModelStatistics = {
    renderer: 'Fake',
    frames: 0,
    drawCalls: 3,
    triangles: 1200,
    objects: 5,
    geometries: 2,
    textures: 1,
  };
  lost = false;
  attachedHosts = 0;
  disposeCalls = 0;
  tiles: TilesState | undefined;
  retryCalls = 0;
  content: ModelContent | undefined;
  mode: CameraMode = 'walk';
  appearance: Appearance3d | undefined;
  dark = false;
  readonly fitCalls: (readonly number[] | Box | undefined)[] = [];
  readonly flights: Partial<CameraView>[] = [];
  readonly #events = new Emitter<ModelEngineEvents>();

  attach(host: HTMLElement, { label }: AttachOptions): () => void {
    this.attachedHosts += 1;
    host.setAttribute('role', 'application');
    host.setAttribute('aria-label', label);
    return () => void (this.attachedHosts -= 1);
  }

  show(content: ModelContent): void {
    this.content = content;
  }

  setView(view: Partial<CameraView>): void {
    this.view = { ...this.view, ...view };
  }

  flyTo(view: Partial<CameraView>): void {
    this.flights.push(view);
  }

  setMode(mode: CameraMode): void {
    this.mode = mode;
  }

  setAppearance(appearance: Appearance3d): void {
    this.appearance = appearance;
  }

  setDark(dark: boolean): void {
    this.dark = dark;
  }

  fit(target?: readonly number[] | Box): void {
    this.fitCalls.push(target);
  }

  computeBounds(): Box {
    return { min: [0, 0, 0], max: [10, 20, 5] };
  }

  pick(): ModelHit | undefined {
    return { point: [1, 2, 3], normal: [0, 0, 1], source: 'MODEL', sigma: 0.001, edge: false, object: 2 };
  }

  pickAlong(): ModelHit | undefined {
    return this.pick();
  }

  findSurfacePoints(): Float64Array {
    return new Float64Array([1, 2, 3]);
  }

  mesh(): undefined {
    return undefined;
  }

  toPixel(point: Point3): { readonly x: number; readonly y: number } {
    return { x: point[0], y: point[1] };
  }

  sees(): boolean {
    return true;
  }

  takePicture(): Promise<Blob> {
    return Promise.resolve(new Blob(['picture'], { type: 'image/png' }));
  }

  on<K extends keyof ModelEngineEvents>(event: K, listener: (value: ModelEngineEvents[K]) => void): () => void {
    return this.#events.on(event, listener);
  }

  emit<K extends keyof ModelEngineEvents>(event: K, value: ModelEngineEvents[K]): void {
    this.#events.emit(event, value);
  }

  retryTiles(): void {
    this.retryCalls += 1;
  }

  dispose(): void {
    this.disposeCalls += 1;
  }
}

const buildObject = (id: number, parent: number | undefined, name: string, tag?: string): ModelObject => ({
  id,
  parent,
  name,
  model: 'M1',
  key: name,
  tag,
  node: undefined,
  properties: tag === undefined ? [] : [['Service', 'Gas']],
});

/** Object tree: Process deck > (Equipment > (V-101, V-102 > shell), Beam). */
export const fakeContent: ModelContent = {
  objects: [
    buildObject(0, undefined, 'Process deck'),
    buildObject(1, 0, 'Equipment'),
    buildObject(2, 1, 'V-101', 'V-101'),
    buildObject(3, 1, 'V-102', 'V-102'),
    buildObject(4, 3, 'shell'),
    buildObject(5, 0, 'Beam'),
  ],
  // The part has no geometry, because tests only check that a part exists.
  parts: [{ object: 2 } as ModelContent['parts'][number]],
};

export interface FakeEngines {
  readonly engine: FakeModelEngine;
  /** If set, the creation of the engine fails with this error. */
  failCreation?: Error;
  /** If set, the loading of each model fails with this error. */
  failRead?: Error;
}

/** Creates the plugin's services with the fake engine. */
export const createFakeServices = (fakes: FakeEngines) => () =>
  Promise.resolve({
    default: new ContainerModule(({ bind }) => {
      bind(ModelViewStore).toSelf().inSingletonScope();
      bind(ModelEngines).toConstantValue({
        createEngine: () => (fakes.failCreation ? Promise.reject(fakes.failCreation) : Promise.resolve(fakes.engine)),
        readModel: () => (fakes.failRead ? Promise.reject(fakes.failRead) : Promise.resolve(fakeContent)),
        readTiledModel: () => (fakes.failRead ? Promise.reject(fakes.failRead) : Promise.resolve(fakeContent)),
        createSample: () => Promise.resolve(fakeContent),
      });
      bind(ModelCache).toSelf().inSingletonScope();
    }),
  });
