import { ContainerModule } from 'inversify';
import { Emitter, type Point3 } from '#core';
import type { CameraView, SurfacePick } from '#plugins/tour';
import type { CloudAppearance } from '../../web/viewer/cloud/cloud-graphics.ts';
import type { CloudUnreadable, OpenCloud } from '../../web/viewer/cloud/cloud-node.ts';
import type {
  CloudSource,
  CloudEvents,
  CloudStatistics,
  CloudSurfaceOptions,
  ShownCloud,
} from '../../web/viewer/cloud/cloud-surface.ts';
import { CloudSurfaces } from '../../web/viewer/cloud-surfaces.ts';
import { ScanChoices } from '../../web/stores/scan-choices.ts';

const smallCloud: OpenCloud = {
  root: {
    key: 'r',
    box: { minimum: [0, 0, 0], maximum: [20, 20, 5] },
    cube: { minimum: [0, 0, 0], edge: 20 },
    count: 100,
    spacing: 0.1,
    source: undefined,
    children: [],
    tile: undefined,
    requestedAt: 0,
  },
  box: { minimum: [0, 0, 0], maximum: [20, 20, 5] },
  count: 100,
  colored: true,
};

/** A fake cloud surface without WebGL that records its calls. All its points load at once. */
export class FakeCloud implements ShownCloud {
  readonly module: string;
  readonly host = document.createElement('div');
  readonly openedSources: CloudSource[] = [];
  view: CameraView;
  appearance: CloudAppearance = { coloring: 'RGB', intensity: [0, 1], height: [0, 1], clip: undefined, size: 1 };
  cloud: OpenCloud | undefined;
  attached = false;
  closed = false;
  retryCount = 0;
  points = 100;
  /** The result of `open`. */
  failure: CloudUnreadable | undefined;
  readonly lost = false;
  readonly #events = new Emitter<CloudEvents>();

  constructor({ module, view }: CloudSurfaceOptions) {
    this.module = module;
    this.view = view;
  }

  get statistics(): CloudStatistics {
    return { renderer: 'Fake', frames: 0, points: this.points, drawnNodes: 1, uploadedNodes: 1 };
  }

  attach(parent: HTMLElement): () => void {
    this.attached = true;
    parent.append(this.host);
    return () => {
      this.attached = false;
      this.host.remove();
    };
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }

  async open(source: CloudSource): Promise<OpenCloud> {
    this.openedSources.push(source);
    if (this.failure) throw this.failure;
    this.cloud = smallCloud;
    return smallCloud;
  }

  show(cloud: OpenCloud): void {
    this.cloud = cloud;
  }

  setView(view: Partial<CameraView>): void {
    this.view = { ...this.view, ...view };
    this.draw();
  }

  setAppearance(appearance: Partial<CloudAppearance>): void {
    this.appearance = { ...this.appearance, ...appearance };
  }

  retry(): void {
    this.retryCount += 1;
  }

  pick(_x: number, _y: number): Promise<SurfacePick | undefined> {
    return Promise.resolve(undefined);
  }

  findSurfacePoints(): Promise<Float64Array> {
    return Promise.resolve(new Float64Array(0));
  }

  toPixel([x]: Point3): { readonly x: number; readonly y: number } {
    return { x: 100 * x, y: 50 };
  }

  sees(): boolean {
    return true;
  }

  on<K extends keyof CloudEvents>(event: K, listener: (value: CloudEvents[K]) => void): () => void {
    return this.#events.on(event, listener);
  }

  emit<K extends keyof CloudEvents>(event: K, value: CloudEvents[K]): void {
    this.#events.emit(event, value);
  }

  onChanged(listener: () => void): () => void {
    return this.on('frame', listener);
  }

  takePicture(): Promise<Blob> {
    return Promise.resolve(new Blob(['cloud'], { type: 'image/png' }));
  }

  close(): void {
    this.closed = true;
  }

  /** Simulates a drawn frame. */
  draw(): void {
    this.emit('frame', undefined);
  }
}

/** Creates the plugin's services with fake clouds. `onCreated` is called with each cloud. */
export const servicesWithClouds = (onCreated: (cloud: FakeCloud) => void) => () =>
  Promise.resolve({
    default: new ContainerModule(({ bind }) => {
      bind(ScanChoices).toSelf().inSingletonScope();
      bind(CloudSurfaces).toConstantValue({
        create: async (options) => {
          const cloud = new FakeCloud(options);
          onCreated(cloud);
          return cloud;
        },
        openHidden: () => Promise.reject(new Error('This fixture has no depth.')),
      });
    }),
  });
