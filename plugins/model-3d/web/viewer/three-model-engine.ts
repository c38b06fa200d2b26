import { Emitter, type Point3 } from '#core';
import type { EyeView, CameraController, CameraControllers, SurfaceMesh, SurfacePick, WalkMode } from '#plugins/tour';
import type { Appearance3d, ModelEngine, ModelEngineEvents, ModelHit, ModelStatistics } from './engine-types.ts';
import { eyeFor } from './eye-for.ts';
import type { Box, ModelContent, TilesState } from './model-content.ts';
import { ModelPicks } from './model-picks.ts';
import { ModelSceneController } from './model-scene-controller.ts';
import { ShownModel } from './shown-model.ts';

/** Far distance in metres. */
const minFarMetres = 200;

/** The viewer on three.js: scene, model, camera movement and ray casts. */
export class ThreeModelEngine implements ModelEngine {
  readonly #events = new Emitter<ModelEngineEvents>();
  readonly #walk: CameraController;
  readonly #stage: ModelSceneController;
  readonly #picks: ModelPicks;
  #model: ShownModel | undefined;
  #tiles: TilesState | undefined;
  #told: EyeView | undefined;

  /** @throws `WebGlUnavailable` */
  constructor(walks: CameraControllers) {
    this.#walk = walks.create({ position: [0, 0, 0], pan: 0, tilt: 0, fov: 75 });
    this.#stage = new ModelSceneController(walks, {
      step: (now) => {
        this.#walk.step(now);
        this.#stage.place(this.#walk.view);
        this.#model?.update(this.#stage.camera, this.#stage.height, this.#stage.slow);
        this.#reportTiles();
        return this.#walk.moving;
      },
      drawn: () => this.#notify(),
      contextLost: () => this.#events.emit('contextLost', undefined),
      contextRestored: () => this.#events.emit('contextRestored', undefined),
    });
    this.#picks = new ModelPicks(this.#stage);
  }

  attach(host: HTMLElement, { label }: { readonly label: string }): () => void {
    Object.assign(host, { tabIndex: 0 });
    host.setAttribute('role', 'application');
    host.setAttribute('aria-label', label);
    host.style.touchAction = 'none';
    const detach = this.#stage.attach(host);
    const end = this.#walk.listen(host, {
      pointAt: async (x, y) => this.#objectAt(x, y)?.point,
      onChange: () => this.#stage.draw(),
      onHome: () => this.fit(),
      onClick: (x, y, add) => {
        this.#events.emit('clicked', { object: this.#objectAt(x, y)?.object, add });
        host.focus({ preventScroll: true });
      },
    });
    return () => {
      end();
      detach();
    };
  }

  show(content: ModelContent): void {
    this.#clear();
    const model = new ShownModel(content, () => this.#stage.draw());
    this.#model = model;
    this.#stage.setExtent(model.origin, Math.max(minFarMetres, model.size * 3));
    this.#stage.scene.add(model.group);
    this.#stage.setClipping([]);
  }

  get lost(): boolean {
    return this.#stage.lost;
  }

  get state(): EyeView {
    return this.#walk.view;
  }

  setState(state: Partial<EyeView>): void {
    this.#walk.set(state);
    this.#told = this.#walk.view;
    this.#stage.draw();
  }

  flyTo(state: Partial<EyeView>): void {
    this.#walk.flyTo(state, performance.now(), window.matchMedia('(prefers-reduced-motion: reduce)').matches);
    this.#stage.draw();
  }

  setMode(mode: WalkMode): void {
    this.#walk.mode = mode;
  }

  setAppearance(appearance: Appearance3d): void {
    this.#model?.setAppearance(appearance);
    this.#stage.setClipping(this.#model?.clipping ?? []);
  }

  setDark(dark: boolean): void {
    this.#stage.setDark(dark);
  }

  fit(objects?: readonly number[]): void {
    const bounds = this.computeBounds(objects);
    if (!bounds) return;
    const { min, max } = bounds;
    const centre: Point3 = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
    this.#walk.target = centre;
    this.flyTo(
      eyeFor(
        centre,
        Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) / 2,
        this.#walk.view,
        this.#stage.camera.aspect,
      ),
    );
  }

  computeBounds(objects?: readonly number[]): Box | undefined {
    return this.#model?.computeBounds(objects);
  }

  pick(x: number, y: number): ModelHit | undefined {
    return this.#ask((model) => this.#picks.pick(model, x, y));
  }

  patch(pick: SurfacePick, radius: number): Float64Array {
    return this.#ask((model) => this.#picks.patch(model, pick, radius)) ?? new Float64Array();
  }

  mesh(pick: SurfacePick, radius: number): SurfaceMesh | undefined {
    return this.#ask((model) => this.#picks.mesh(model, pick, radius));
  }

  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined {
    this.#stage.place(this.#walk.view);
    return this.#stage.toPixel(point);
  }

  sees(point: Point3): boolean {
    return this.#ask((model) => this.#picks.sees(model, point)) ?? true;
  }

  picture(): Promise<Blob> {
    return this.#stage.picture();
  }

  on<K extends keyof ModelEngineEvents>(event: K, listener: (value: ModelEngineEvents[K]) => void): () => void {
    return this.#events.on(event, listener);
  }

  get tiles(): TilesState | undefined {
    return this.#tiles;
  }

  retryTiles(): void {
    this.#model?.retryTiles();
    this.#stage.draw();
  }

  get statistics(): ModelStatistics {
    return { ...this.#stage.statistics, objects: this.#model?.objects ?? 0 };
  }

  dispose(): void {
    this.#clear();
    this.#stage.dispose();
  }

  #clear(): void {
    if (this.#model) {
      this.#stage.scene.remove(this.#model.group);
      this.#model.dispose();
    }
    this.#model = undefined;
    this.#tiles = undefined;
  }

  /** At most once per frame, and only changes. */
  #reportTiles(): void {
    const now = this.#model?.tiles;
    const before = this.#tiles;
    if (
      !now ||
      (before &&
        before.loading === now.loading &&
        before.shown === now.shown &&
        before.failed === now.failed &&
        before.full === now.full &&
        before.thinned === now.thinned)
    )
      return;
    this.#tiles = now;
    this.#events.emit('tiles', now);
  }

  #objectAt(x: number, y: number): ReturnType<ModelPicks['objectAt']> {
    return this.#ask((model) => this.#picks.objectAt(model, x, y));
  }

  /** Updates the camera first, because rays start at its current position, not at that of the last frame. */
  #ask<T>(answer: (model: ShownModel) => T): T | undefined {
    if (!this.#model) return undefined;
    this.#stage.place(this.#walk.view);
    return answer(this.#model);
  }

  #notify(): void {
    const { view } = this.#walk;
    if (view !== this.#told) {
      this.#told = view;
      this.#events.emit('moved', view);
    }
    this.#events.emit('frame', undefined);
  }
}
