import { action, makeObservable, observableRef, reaction, runInAction } from 'mobx';
import type { Point3 } from '#core';
import { toFailure, type HttpClient } from '#core/web';
import type {
  CameraController,
  CameraControllers,
  TourStore,
  TourTools,
  Viewer,
  Viewers,
  ViewSurfaces,
} from '#plugins/tour';
import type { openScans, ScanStation } from '../../../contract/api.ts';
import type { listClouds, PointCloud } from '../../../contract/api/cloud.ts';
import { scanModule } from '../../../contract/index.ts';
import { distanceToBox } from '../cloud/cloud-camera.ts';
import type { Coloring } from '../cloud/cloud-graphics.ts';
import { CloudUnreadable } from '../cloud/cloud-node.ts';
import type { ShownCloud } from '../cloud/cloud-surface.ts';
import type { CloudSurfaces } from '../cloud-surfaces.ts';
import type { ScanChoices } from '../../stores/scan-choices.ts';
import { blockedBy, watchToken, type ScanReason, type ScanStatus } from '../../stores/scan-status.ts';
import { setHostPresentation } from './set-host-presentation.ts';
import { moveByHand } from './move-by-hand.ts';
import { StationPins, type StationPinsOptions } from './station-pins.ts';

export interface CloudParts {
  readonly clouds: CloudSurfaces;
  readonly walks: CameraControllers;
  readonly choices: ScanChoices;
  readonly surfaces: ViewSurfaces;
  readonly store: TourStore;
  readonly tools: TourTools;
  readonly viewers: Viewers;
  readonly http: HttpClient;
}

const noAccess: ScanStatus = { state: 'failed', reason: 'noAccess' };
const unreadable: ScanStatus = { state: 'failed', reason: 'cloudUnreadable' };

export type CloudPresentation = Pick<StationPinsOptions, 'pin' | 'name' | 'label'>;

/** Shows the point cloud of the tour from the tour's position while the module is on screen. Observable. */
export class CloudController {
  readonly viewer: Viewer<ScanReason>;
  /** Clouds that are ready, newest first. */
  clouds: readonly PointCloud[] = [];
  cloud: PointCloud | undefined;
  presentation: CloudPresentation | undefined;
  surface: ShownCloud | undefined;
  stations: readonly ScanStation[] = [];
  readonly #parts: CloudParts;
  #walk: CameraController;
  /** The load for which the token is being checked. */
  #checking: AbortSignal | undefined;
  /** True from the start of a load until its cloud replaces the previous one. */
  #isReplacing = false;
  #unwatch = (): void => undefined;
  #pins: StationPins | undefined;

  constructor(parts: CloudParts) {
    this.#parts = parts;
    this.viewer = parts.viewers.create({ module: scanModule });
    this.#walk = parts.walks.create({ position: [0, 0, 0], pan: 0, tilt: 0, fov: 75 });
    makeObservable(this, {
      clouds: observableRef,
      cloud: observableRef,
      presentation: observableRef,
      surface: observableRef,
      stations: observableRef,
      setPresentation: action,
    });
  }

  /** Language and styles of the pins. */
  setPresentation(presentation: CloudPresentation): void {
    this.presentation = presentation;
  }

  start(parent: HTMLElement, label: string): () => void {
    const { clouds, store, tools, walks } = this.#parts;
    this.#walk = walks.create({ ...tools.view, position: tools.position ?? store.currentNode?.position ?? [0, 0, 0] });
    return this.viewer.start({
      open: () => clouds.make({ module: scanModule, view: this.#walk.view }),
      enter: (surface) => this.#enter(surface, parent, label),
      discard: (surface) => surface.close(),
      reload: () => this.#load(),
    });
  }

  /** Retries everything that is missing. */
  retry(): void {
    const { viewer, surface } = this;
    if (viewer.status.state !== 'ready') return viewer.retry();
    viewer.setPartsMissing(false);
    surface?.retry();
  }

  choose(uid: string): void {
    const cloud = this.clouds.find((each) => each.uid === uid);
    if (cloud) void this.#open(cloud);
  }

  /** A clipping box around the visible area, ahead of the eye, in metres. */
  boxAhead(half: Point3 = [3, 3, 2]): NonNullable<ScanChoices['clip']> {
    const { position, pan } = this.#walk.view;
    const angle = (pan * Math.PI) / 180;
    return {
      centre: [position[0] + Math.sin(angle) * half[1], position[1] + Math.cos(angle) * half[1], position[2]],
      half,
      pan,
    };
  }

  #enter(surface: ShownCloud, parent: HTMLElement, label: string): readonly (() => void)[] {
    const { choices, store, surfaces } = this.#parts;
    const { viewer } = this;
    setHostPresentation(surface.host, label);
    const detach = surface.attach(parent);
    const hand = moveByHand(surface, this.#walk, () => this.#notify());
    runInAction(() => (this.surface = surface));
    return [
      () => {
        this.#unwatch();
        runInAction(() => (this.surface = undefined));
      },
      () => surface.close(),
      detach,
      surfaces.register(surface),
      surface.onChanged(() => this.#shownYet()),
      surface.on('settled', () => this.#shownYet()),
      surface.on('failed', ({ refused }) => {
        if (this.#isReplacing) return;
        if (refused) void this.#retryLoad(noAccess);
        else viewer.setPartsMissing(true);
      }),
      hand.end,
      viewer.follow({
        setView: (view) => {
          this.#walk.set(view);
          surface.setView(this.#walk.view);
        },
        turnTo: (view) => {
          this.#walk.flyTo(view, performance.now(), window.matchMedia('(prefers-reduced-motion: reduce)').matches);
          // Reports the view at once after a move to another position.
          hand.run();
        },
      }),
      reaction(
        () => ({ size: choices.size, clip: choices.clip, coloring: choices.coloring, cloud: this.cloud }),
        () => this.#setPointPresentation(),
      ),
      reaction(
        () => ({ stations: this.stations, presentation: this.presentation, shown: viewer.status.state === 'ready' }),
        ({ stations, presentation, shown }) => {
          this.#pins?.close();
          this.#pins =
            presentation && shown
              ? new StationPins(surface, stations, {
                  ...presentation,
                  onActivate: (station) => this.#restoreView(station),
                })
              : undefined;
        },
        { fireImmediately: true },
      ),
      reaction(
        () => store.opened?.tour.location,
        () => this.#load(),
        { fireImmediately: true },
      ),
      () => {
        this.#pins?.close();
        this.#pins = undefined;
      },
    ];
  }

  /** Applies a movement of the eye and reports it. */
  #notify(): void {
    this.surface?.setView(this.#walk.view);
    this.viewer.report(this.#walk.view);
  }

  #setPointPresentation(): void {
    const { clip, coloring, size } = this.#parts.choices;
    this.surface?.setLook({ clip, size, coloring: chooseColoring(this.cloud, coloring) });
  }

  /** Returns to the panorama of a station in the current direction. */
  #restoreView(station: ScanStation): void {
    const { choices, store, tools } = this.#parts;
    runInAction(() => {
      if (station.node === null) store.moveTo(station.position, scanModule);
      else store.goTo(station.node);
      // Opens this station, even if another one is linked to the node or the eye has moved away.
      tools.setPosition(station.position);
      choices.setWay('PICTURE');
    });
  }

  #load(): void {
    const location = this.#parts.store.opened?.tour.location;
    if (location === undefined) return;
    this.#isReplacing = true;
    void this.viewer.load((signal) => this.#loadCloud(location, signal));
  }

  async #loadCloud(location: string, signal: AbortSignal): Promise<ScanStatus | undefined> {
    const { http, tools } = this.#parts;
    const [scans, clouds] = await Promise.all([
      http.call<typeof openScans>('GET', '/api/scan/:location', { params: { location } }, { signal }),
      http.call<typeof listClouds>('GET', '/api/scan/:location/clouds', { params: { location } }, { signal }),
    ]);
    if (signal.aborted) return undefined;
    const ready = clouds.filter(({ address }) => address !== null);
    runInAction(() => {
      this.stations = scans.stations;
      this.clouds = ready;
    });
    this.#unwatch();
    this.#unwatch = watchToken(scans.token, () => void this.#retryLoad(undefined));
    const barred = blockedBy(scans.token);
    if (barred) return barred;
    const cloud = cloudNear(ready, tools.position ?? [0, 0, 0]);
    if (!cloud) return { state: 'empty', reason: clouds.length > 0 ? 'cloudPreparing' : 'noCloud' };
    await this.#open(cloud);
    return undefined;
  }

  async #open(cloud: PointCloud): Promise<void> {
    const { surface, viewer } = this;
    if (!surface || cloud.address === null) return;
    runInAction(() => {
      viewer.setStatus({ state: 'loading' });
      viewer.setPartsMissing(false);
      this.cloud = cloud;
    });
    this.#isReplacing = false;
    const isCurrent = (): boolean => this.surface === surface && this.cloud === cloud;
    try {
      await surface.open({ kind: cloud.kind, address: cloud.address });
      if (!isCurrent()) return;
      this.#setPointPresentation();
      this.#shownYet();
    } catch (error) {
      if (!isCurrent()) return;
      if (error instanceof CloudUnreadable && error.refused) await this.#retryLoad(noAccess);
      else if (error instanceof CloudUnreadable) viewer.setStatus(unreadable);
      else viewer.setStatus({ state: 'failed', reason: navigator.onLine ? 'failed' : 'offline' });
    }
  }

  /** The first points are on screen, or none will follow. */
  #shownYet(): void {
    const { surface, viewer } = this;
    if (viewer.status.state !== 'loading' || !surface?.cloud) return;
    if (surface.statistics.points > 0) viewer.setStatus({ state: 'ready' });
    else if (viewer.partsMissing) viewer.setStatus(unreadable);
  }

  /**
   * Checks the token again after a refused part or at its expiry. Ignores the result if a new load has started in the
   * meantime.
   */
  async #retryLoad(otherwise: ScanStatus | undefined): Promise<void> {
    const location = this.#parts.store.opened?.tour.location;
    const { viewer } = this;
    const { signal } = viewer;
    if (this.#checking === signal || location === undefined) return;
    this.#checking = signal;
    try {
      const { token } = await this.#parts.http.call<typeof openScans>(
        'GET',
        '/api/scan/:location',
        { params: { location } },
        { signal },
      );
      if (signal.aborted) return;
      this.#unwatch();
      this.#unwatch = watchToken(token, () => void this.#retryLoad(undefined));
      const status = blockedBy(token) ?? otherwise;
      if (status) viewer.setStatus(status);
    } catch (error) {
      if (!signal.aborted) viewer.setStatus({ state: 'failed', reason: toFailure(error).kind });
    } finally {
      if (this.#checking === signal) this.#checking = undefined;
    }
  }
}

/** Returns the cloud that contains the eye, or else the nearest one. The newest of several comes first. */
export function cloudNear(clouds: readonly PointCloud[], eye: Point3): PointCloud | undefined {
  const metres = ({ extent }: PointCloud): number => (extent ? distanceToBox(eye, extent) : Number.MAX_VALUE);
  return clouds.toSorted((a, b) => metres(a) - metres(b))[0];
}

/** Removes the parts of the requested look that the cloud does not support. */
export function chooseColoring(cloud: PointCloud | undefined, requested: Coloring): Coloring {
  const extent = cloud?.extent;
  if (!extent) return requested;
  if (requested === 'RGB' && !extent.colored) return extent.withIntensity ? 'INTENSITY' : 'HEIGHT';
  if (requested === 'INTENSITY' && !extent.withIntensity) return extent.colored ? 'RGB' : 'HEIGHT';
  return requested;
}
