import { Emitter } from '#core';
import { ContainerModule } from 'inversify';
import {
  PanoramaEngines,
  type PanoramaArea,
  type PanoramaEngine,
  type PanoramaEvents,
  type PanoramaPicture,
  type PanoramaPin,
  type PanoramaShape,
  type PanoramaStatistics,
  type PanoramaTransition,
  type PanoramaView,
  type PictureCorrection,
  type ViewSurface,
} from '#plugins/tour';
import { bindTourServices } from '../../web/services.ts';

/** An engine without WebGL. It records calls and shows pictures at once, except those in `failingPictures`. */
export class FakeEngine implements PanoramaEngine {
  view: PanoramaView = { pan: 0, tilt: 0, fov: 75 };
  followsDevice = false;
  readonly statistics: PanoramaStatistics = {
    renderer: 'Fake',
    maximumTextureSize: 8192,
    frames: 0,
    drawCalls: 2,
    tilesOnScreen: 12,
    tilesHeld: 20,
    textureBytes: 16_000_000,
    levelWidth: 4096,
  };
  readonly shownPictures: {
    readonly id: string;
    readonly transition: PanoramaTransition | undefined;
    readonly view: Partial<PanoramaView> | undefined;
  }[] = [];
  readonly turns: Partial<PanoramaView>[] = [];
  readonly failingPictures = new Set<string>();
  /** Makes picks fail, as for pictures without ranges. */
  picksFail = false;
  tileRetries = 0;
  lost = false;
  preloadedPictures: readonly string[] = [];
  pins: readonly PanoramaPin[] = [];
  shapes: readonly PanoramaShape[] = [];
  comparison: { readonly id: string; readonly fraction: number } | undefined;
  attachments = 0;
  coveredAreas: readonly PanoramaArea[] = [];
  correction: PictureCorrection | undefined;
  readonly #events = new Emitter<PanoramaEvents>();

  get attached(): boolean {
    return this.attachments > 0;
  }

  attach(host: HTMLElement): () => void {
    this.attachments += 1;
    const root = document.createElement('div');
    host.append(root);
    return () => {
      this.attachments -= 1;
      if (!this.attached) void this.followDevice(false);
      root.remove();
    };
  }

  setView(view: Partial<PanoramaView>): void {
    this.view = { ...this.view, ...view };
    this.emit('viewChanged', this.view);
  }

  turnTo(view: Partial<PanoramaView>): Promise<void> {
    this.turns.push(view);
    this.setView(view);
    return Promise.resolve();
  }

  async show(
    picture: PanoramaPicture,
    options: { readonly transition?: PanoramaTransition; readonly view?: Partial<PanoramaView> } = {},
  ): Promise<boolean> {
    const { id } = picture.tiles;
    this.shownPictures.push({ id, transition: options.transition, view: options.view });
    if (this.failingPictures.has(id)) {
      this.emit('failed', { id, reason: 'The server replied 500.' });
      return false;
    }
    if (options.view) this.setView(options.view);
    this.emit('shown', { id });
    return true;
  }

  retryTiles(): void {
    this.tileRetries += 1;
    this.emit('tilesMissing', false);
  }

  preload(pictures: readonly PanoramaPicture[]): void {
    this.preloadedPictures = pictures.map((picture) => picture.tiles.id);
  }

  setPins(pins: readonly PanoramaPin[]): void {
    this.pins = pins;
  }

  setShapes(shapes: readonly PanoramaShape[]): void {
    this.shapes = shapes;
  }

  async compare(picture: PanoramaPicture | undefined, fraction = 0.5): Promise<boolean> {
    this.comparison = picture && { id: picture.tiles.id, fraction };
    if (!picture || !this.failingPictures.has(picture.tiles.id)) return picture !== undefined;
    this.comparison = undefined;
    this.emit('failed', { id: picture.tiles.id, reason: 'The server replied 500.' });
    return false;
  }

  setCoveredAreas(areas: readonly PanoramaArea[]): void {
    this.coveredAreas = areas;
  }

  correct(correction: PictureCorrection): void {
    this.correction = correction;
  }

  surface(module: string): ViewSurface {
    const host = document.createElement('div');
    return {
      module,
      host,
      isCorrectable: true,
      pick: async () => {
        if (this.picksFail) throw new Error('The ranges could not be loaded.');
        return undefined;
      },
      findSurfacePoints: async () => new Float64Array(0),
      toPixel: () => undefined,
      sees: () => true,
      onChanged: () => () => undefined,
      takePicture: () => this.takePicture(),
    };
  }

  takePicture(): Promise<Blob> {
    return Promise.resolve(new Blob(['picture'], { type: 'image/png' }));
  }

  toPixel(): undefined {
    return undefined;
  }

  directionAt(): { readonly pan: number; readonly tilt: number } {
    return this.view;
  }

  followDevice(on: boolean): Promise<boolean> {
    if (on !== this.followsDevice) {
      this.followsDevice = on;
      this.emit('followsDevice', on);
    }
    return Promise.resolve(on);
  }

  on<K extends keyof PanoramaEvents>(event: K, listener: (value: PanoramaEvents[K]) => void): () => void {
    return this.#events.on(event, listener);
  }

  emit<K extends keyof PanoramaEvents>(event: K, value: PanoramaEvents[K]): void {
    this.#events.emit(event, value);
  }
}

/** Creates the plugin's services with one engine for all modules. */
export const createServicesWith = (engine: PanoramaEngine) => () =>
  Promise.resolve({
    default: new ContainerModule((options) => {
      bindTourServices(options);
      options.rebind(PanoramaEngines).toConstantValue({
        getEngine: () => engine,
        setCoveredAreas: (areas) => engine.setCoveredAreas(areas),
        correct: (correction) => engine.correct(correction),
      });
    }),
  });
