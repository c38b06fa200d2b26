import { Emitter, type Point3 } from '#core';
import type {
  CameraView,
  CameraController,
  CameraControllers,
  PanoramaArea,
  SightRay,
  SurfaceMesh,
  SurfacePick,
  CameraMode,
} from '#plugins/tour';
import type {
  Appearance3d,
  AttachOptions,
  ModelEngine,
  ModelEngineEvents,
  ModelHit,
  ModelStatistics,
} from './engine-types.ts';
import { searchClearEye } from './compute-eye.ts';
import type { Box, ModelContent, TilesState } from './model-content.ts';
import { ModelPicks } from './model-picks.ts';
import { ModelSceneController } from './model-scene-controller.ts';
import { LoadedModel } from './loaded-model.ts';
import { runInFrames } from './run-in-frames.ts';

const minFarMetres = 200;
/** Time per frame in which a clear view is searched. */
const searchBudgetMs = 8;

/** The built-in viewer, which draws with three.js. */
export class ThreeModelEngine implements ModelEngine {
  readonly #events = new Emitter<ModelEngineEvents>();
  readonly #cameraController: CameraController;
  readonly #sceneController: ModelSceneController;
  readonly #picks: ModelPicks;
  #model: LoadedModel | undefined;
  #tiles: TilesState | undefined;
  #reportedView: CameraView | undefined;
  #getFreeArea: (() => PanoramaArea) | undefined;
  #cancelFit = (): void => undefined;

  /** @throws `WebGlUnavailable` if the browser has no WebGL 2 */
  constructor(cameraControllers: CameraControllers) {
    this.#cameraController = cameraControllers.create({ position: [0, 0, 0], pan: 0, tilt: 0, fov: 75 });
    this.#sceneController = new ModelSceneController(cameraControllers, {
      beforeFrame: (now) => {
        this.#cameraController.step(now);
        this.#sceneController.setView(this.#cameraController.view);
        this.#model?.update(
          this.#sceneController.camera,
          this.#sceneController.size.height,
          this.#sceneController.slow,
        );
        this.#reportTiles();
        return this.#cameraController.moving;
      },
      onDrawn: () => this.#notify(),
      contextLost: () => this.#events.emit('contextLost', undefined),
      contextRestored: () => this.#events.emit('contextRestored', undefined),
    });
    this.#picks = new ModelPicks(this.#sceneController);
  }

  attach(host: HTMLElement, { label, getFreeArea }: AttachOptions): () => void {
    this.#getFreeArea = getFreeArea;
    Object.assign(host, { tabIndex: 0 });
    host.setAttribute('role', 'application');
    host.setAttribute('aria-label', label);
    host.style.touchAction = 'none';
    const detach = this.#sceneController.attach(host);
    const stopListening = this.#cameraController.listen(host, {
      pointAt: async (x, y) => this.#findObject(x, y)?.point,
      onChange: () => this.#sceneController.requestFrame(),
      onHome: () => this.fit(),
      onClick: (x, y, add) => {
        this.#events.emit('clicked', { object: this.#findObject(x, y)?.object, add });
        host.focus({ preventScroll: true });
      },
    });
    return () => {
      stopListening();
      detach();
    };
  }

  show(content: ModelContent): void {
    this.#clear();
    const model = new LoadedModel(content, () => this.#sceneController.requestFrame());
    this.#model = model;
    this.#sceneController.setExtent(model.origin, Math.max(minFarMetres, model.diagonalMetres * 3));
    this.#sceneController.scene.add(model.group);
    this.#sceneController.setClipping([]);
  }

  get lost(): boolean {
    return this.#sceneController.lost;
  }

  get view(): CameraView {
    return this.#cameraController.view;
  }

  setView(view: Partial<CameraView>): void {
    this.#cancelFit();
    this.#cameraController.set(view);
    this.#reportedView = this.#cameraController.view;
    this.#sceneController.requestFrame();
  }

  flyTo(view: Partial<CameraView>): void {
    this.#cancelFit();
    this.#cameraController.flyTo(
      view,
      performance.now(),
      window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    );
    this.#sceneController.requestFrame();
  }

  setMode(mode: CameraMode): void {
    this.#cameraController.mode = mode;
  }

  setAppearance(appearance: Appearance3d): void {
    this.#model?.setAppearance(appearance);
    this.#sceneController.setClipping(this.#model?.clipping ?? []);
  }

  setDark(dark: boolean): void {
    this.#sceneController.setDark(dark);
  }

  fit(target?: readonly number[] | Box): void {
    const bounds = target && 'min' in target ? target : this.computeBounds(target);
    const { size } = this.#sceneController;
    if (!bounds || size.height === 0) return;
    const { min, max } = bounds;
    this.#cameraController.target = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
    const objects = new Set(Array.isArray(target) ? target : []);
    const isClear = (eye: Point3, point: Point3): boolean =>
      target === undefined || (this.#model !== undefined && this.#picks.isClear(this.#model, eye, point, objects));
    this.#cancelFit();
    const search = searchClearEye(bounds, this.#cameraController.view, size, this.#getFreeArea?.(), isClear);
    this.#cancelFit = runInFrames(search, searchBudgetMs, (eye) => this.flyTo(eye));
  }

  computeBounds(objects?: readonly number[]): Box | undefined {
    return this.#model?.computeBounds(objects);
  }

  pick(x: number, y: number): ModelHit | undefined {
    return this.#queryModel((model) => this.#picks.pick(model, x, y));
  }

  pickAlong(ray: SightRay): ModelHit | undefined {
    return this.#model && this.#picks.pickAlong(this.#model, ray);
  }

  findSurfacePoints(pick: SurfacePick, radius: number): Float64Array {
    return this.#queryModel((model) => this.#picks.findSurfacePoints(model, pick, radius)) ?? new Float64Array();
  }

  mesh(pick: SurfacePick, radius: number): SurfaceMesh | undefined {
    return this.#queryModel((model) => this.#picks.mesh(model, pick, radius));
  }

  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined {
    this.#sceneController.setView(this.#cameraController.view);
    return this.#sceneController.toPixel(point);
  }

  sees(point: Point3): boolean {
    return this.#queryModel((model) => this.#picks.sees(model, point)) ?? true;
  }

  takePicture(): Promise<Blob> {
    return this.#sceneController.takePicture();
  }

  on<K extends keyof ModelEngineEvents>(event: K, listener: (value: ModelEngineEvents[K]) => void): () => void {
    return this.#events.on(event, listener);
  }

  get tiles(): TilesState | undefined {
    return this.#tiles;
  }

  retryTiles(): void {
    this.#model?.retryTiles();
    this.#sceneController.requestFrame();
  }

  get statistics(): ModelStatistics {
    return { ...this.#sceneController.statistics, objects: this.#model?.objectCount ?? 0 };
  }

  dispose(): void {
    this.#clear();
    this.#sceneController.dispose();
  }

  #clear(): void {
    this.#cancelFit();
    if (this.#model) {
      this.#sceneController.scene.remove(this.#model.group);
      this.#model.dispose();
    }
    this.#model = undefined;
    this.#tiles = undefined;
  }

  /** Reports changed states, at most once per frame. */
  #reportTiles(): void {
    const current = this.#model?.tiles;
    const previous = this.#tiles;
    if (
      !current ||
      (previous &&
        previous.loading === current.loading &&
        previous.shownCount === current.shownCount &&
        previous.failedCount === current.failedCount &&
        previous.isMemoryFull === current.isMemoryFull &&
        previous.isDetailReduced === current.isDetailReduced)
    )
      return;
    this.#tiles = current;
    this.#events.emit('tiles', current);
  }

  #findObject(x: number, y: number): ReturnType<ModelPicks['findObject']> {
    return this.#queryModel((model) => this.#picks.findObject(model, x, y));
  }

  /** Updates the camera first, because rays start at its position, which may have changed since the last frame. */
  #queryModel<T>(query: (model: LoadedModel) => T): T | undefined {
    if (!this.#model) return undefined;
    this.#sceneController.setView(this.#cameraController.view);
    return query(this.#model);
  }

  #notify(): void {
    const { view } = this.#cameraController;
    if (view !== this.#reportedView) {
      this.#reportedView = view;
      this.#events.emit('moved', view);
    }
    this.#events.emit('frame', undefined);
  }
}
