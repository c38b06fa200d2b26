import { action, compareStructural, makeObservable, observableRef, reaction, runInAction } from 'mobx';
import { distanceBetween, minus, toPanTilt, type Point3 } from '#core';
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
import type { openScans, ScanToken, ScanStation } from '../../../contract/api.ts';
import type { listClouds, PointCloud } from '../../../contract/api/cloud.ts';
import { scanModule } from '../../../contract/index.ts';
import { createCloudCamera, distanceToBox } from '../cloud/cloud-camera.ts';
import type { Coloring } from '../cloud/cloud-graphics.ts';
import { CloudUnreadable } from '../cloud/cloud-node.ts';
import type { ShownCloud } from '../cloud/cloud-surface.ts';
import type { CloudSurfaces } from '../cloud-surfaces.ts';
import type { ScanChoices } from '../../stores/scan-choices.ts';
import { findBlockedStatus, watchToken, type ScanReason, type ScanStatus } from '../../stores/scan-status.ts';
import { setHostPresentation } from './set-host-presentation.ts';
import { findNearestCloud, findNearestPoint, findWayToCloud, type WayToCloud } from './find-way-to-cloud.ts';
import { moveByInput } from './move-by-input.ts';
import { StationPins, type StationPinsOptions } from './station-pins.ts';

export interface CloudServices {
  readonly clouds: CloudSurfaces;
  readonly cameras: CameraControllers;
  readonly choices: ScanChoices;
  readonly surfaces: ViewSurfaces;
  readonly store: TourStore;
  readonly tools: TourTools;
  readonly viewers: Viewers;
  readonly http: HttpClient;
}

const noAccess: ScanStatus = { state: 'failed', reason: 'noAccess' };
const unreadable: ScanStatus = { state: 'failed', reason: 'cloudUnreadable' };

export type CloudPresentation = Pick<StationPinsOptions, 'pinClassName' | 'labelClassName' | 'label'>;

/** Shows the point cloud of the tour from the tour's position while the module is on screen. */
export class CloudController {
  readonly viewer: Viewer<ScanReason>;
  /** The imported point clouds, newest first. */
  clouds: readonly PointCloud[] = [];
  cloud: PointCloud | undefined;
  /** The way to the nearest point cloud, if the eye is so far from the shown one that no points are in view. */
  wayToCloud: WayToCloud | undefined;
  presentation: CloudPresentation | undefined;
  surface: ShownCloud | undefined;
  stations: readonly ScanStation[] = [];
  readonly #services: CloudServices;
  #camera: CameraController;
  /** The signal of the load for which the token is being checked. */
  #checkedLoad: AbortSignal | undefined;
  /** True from the start of a load until its cloud replaces the previous one. */
  #isReplacing = false;
  #stopWatchingToken = (): void => undefined;
  #token: ScanToken | undefined;
  #pins: StationPins | undefined;

  constructor(services: CloudServices) {
    this.#services = services;
    this.viewer = services.viewers.create({ module: scanModule });
    this.#camera = services.cameras.create({ position: [0, 0, 0], pan: 0, tilt: 0, fov: 75 });
    makeObservable(this, {
      clouds: observableRef,
      cloud: observableRef,
      wayToCloud: observableRef,
      presentation: observableRef,
      surface: observableRef,
      stations: observableRef,
      setPresentation: action,
    });
  }

  /** Sets the language and the styles of the pins. */
  setPresentation(presentation: CloudPresentation): void {
    this.presentation = presentation;
  }

  start(parent: HTMLElement, label: string): () => void {
    const { clouds, store, tools, cameras } = this.#services;
    this.#camera = cameras.create({
      ...tools.view,
      position: tools.position ?? store.currentNode?.position ?? [0, 0, 0],
    });
    return this.viewer.start({
      open: () => clouds.create({ module: scanModule, view: this.#camera.view }),
      enter: (surface) => this.#enter(surface, parent, label),
      discard: (surface) => surface.close(),
      reload: () => this.#load(),
    });
  }

  /** Loads the cloud or its missing parts again. */
  retry(): void {
    const { viewer, surface } = this;
    if (viewer.status.state !== 'ready') return viewer.retry();
    viewer.setPartsMissing(false);
    surface?.retry();
  }

  choose(uid: string): void {
    const cloud = this.clouds.find((candidate) => candidate.uid === uid);
    if (cloud) void this.#open(cloud);
  }

  /** Shows the nearest cloud, and looks at its centre from the nearest viewpoint in it, else from its nearest point. */
  goToCloud(): void {
    const { store, tools } = this.#services;
    const extent = this.wayToCloud?.cloud.extent;
    if (!this.wayToCloud || !extent) return;
    const { cloud, metres } = this.wayToCloud;
    if (metres > 0) {
      const eye = this.#camera.view.position;
      const [position = findNearestPoint(extent, eye)] = store.nodes
        .map((node) => node.position)
        .filter((nodePosition) => distanceToBox(nodePosition, extent) === 0)
        .sort((a, b) => distanceBetween(a, eye) - distanceBetween(b, eye));
      const { minimum, maximum } = extent;
      const centre: Point3 = [(minimum[0] + maximum[0]) / 2, (minimum[1] + maximum[1]) / 2, position[2]];
      runInAction(() => {
        store.moveTo(position, scanModule);
        tools.setPosition(position);
        tools.look({ pan: toPanTilt(minus(centre, position)).pan, tilt: 0 }, false);
      });
    }
    if (cloud !== this.cloud) void this.#open(cloud);
  }

  /** Creates a clipping box ahead of the eye. `half` is half the length of each edge, metres. */
  createBoxAhead(half: Point3 = [3, 3, 2]): NonNullable<ScanChoices['clip']> {
    const { position, pan } = this.#camera.view;
    const angle = (pan * Math.PI) / 180;
    return {
      centre: [position[0] + Math.sin(angle) * half[1], position[1] + Math.cos(angle) * half[1], position[2]],
      half,
      pan,
    };
  }

  #enter(surface: ShownCloud, parent: HTMLElement, label: string): readonly (() => void)[] {
    const { choices, store, surfaces } = this.#services;
    const { viewer } = this;
    setHostPresentation(surface.host, label);
    const detach = surface.attach(parent);
    const motion = moveByInput(surface, this.#camera, () => this.#showCameraView());
    runInAction(() => (this.surface = surface));
    return [
      () => {
        this.#stopWatchingToken();
        runInAction(() => (this.surface = undefined));
      },
      () => surface.close(),
      detach,
      surfaces.register(surface),
      surface.onChanged(() => {
        this.#updateStatus();
        this.#updateWay();
      }),
      surface.on('settled', () => this.#updateStatus()),
      surface.on('failed', ({ refused }) => {
        if (this.#isReplacing) return;
        if (refused) void this.#recheckToken(noAccess);
        else viewer.setPartsMissing(true);
      }),
      motion.stop,
      viewer.follow({
        setView: (view) => {
          this.#camera.set(view);
          surface.setView(this.#camera.view);
        },
        turnTo: (view) => {
          this.#camera.flyTo(view, performance.now(), window.matchMedia('(prefers-reduced-motion: reduce)').matches);
          // The view is reported at once.
          motion.run();
        },
      }),
      reaction(
        () => ({ size: choices.size, clip: choices.clip, coloring: choices.coloring, cloud: this.cloud }),
        () => this.#updateAppearance(),
      ),
      reaction(
        () => ({ stations: this.stations, presentation: this.presentation, shown: viewer.status.state === 'ready' }),
        ({ stations, presentation, shown }) => {
          this.#pins?.close();
          this.#pins =
            presentation && shown
              ? new StationPins(surface, stations, {
                  ...presentation,
                  onActivate: (station) => this.#openStation(station),
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

  /** Shows the view of the camera and reports it to the tour. */
  #showCameraView(): void {
    this.surface?.setView(this.#camera.view);
    this.viewer.report(this.#camera.view);
  }

  #updateAppearance(): void {
    const { clip, coloring, size } = this.#services.choices;
    this.surface?.setAppearance({ clip, size, coloring: chooseColoring(this.cloud, coloring) });
  }

  /** Returns to the panorama of a station in the current direction. */
  #openStation(station: ScanStation): void {
    const { choices, store, tools } = this.#services;
    runInAction(() => {
      if (station.node === null) store.moveTo(station.position, scanModule);
      else store.goTo(station.node);
      // Selects this station, even if another one is linked to the node or the eye is at another position.
      tools.setPosition(station.position);
      choices.setMode('PICTURE');
    });
  }

  #load(): void {
    const location = this.#services.store.opened?.tour.location;
    if (location === undefined) return;
    this.#isReplacing = true;
    void this.viewer.load((signal) => this.#loadCloud(location, signal));
  }

  async #loadCloud(location: string, signal: AbortSignal): Promise<ScanStatus | undefined> {
    const { http, tools } = this.#services;
    const [scans, clouds] = await Promise.all([
      http.call<typeof openScans>('GET', '/api/scan/:location', { params: { location } }, { signal }),
      http.call<typeof listClouds>('GET', '/api/scan/:location/clouds', { params: { location } }, { signal }),
    ]);
    if (signal.aborted) return undefined;
    const importedClouds = clouds.filter(({ address }) => address !== null);
    runInAction(() => {
      this.stations = scans.stations;
      this.clouds = importedClouds;
    });
    this.#watchToken(scans.token);
    const blockedStatus = findBlockedStatus(scans.token);
    if (blockedStatus) return blockedStatus;
    const cloud = findNearestCloud(importedClouds, tools.position ?? [0, 0, 0]);
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
      this.wayToCloud = undefined;
    });
    this.#isReplacing = false;
    const isCurrent = (): boolean => this.surface === surface && this.cloud === cloud;
    try {
      await surface.open({ kind: cloud.kind, url: cloud.address });
      if (!isCurrent()) return;
      this.#updateAppearance();
      this.#updateStatus();
    } catch (error) {
      if (!isCurrent()) return;
      if (error instanceof CloudUnreadable && error.refused) await this.#recheckToken(noAccess);
      else if (error instanceof CloudUnreadable) viewer.setStatus(unreadable);
      else viewer.setStatus({ state: 'failed', reason: navigator.onLine ? 'failed' : 'offline' });
    }
  }

  /** Ends the state `loading` once points are on screen or it is known that none will follow. */
  #updateStatus(): void {
    const { surface, viewer } = this;
    if (viewer.status.state !== 'loading' || !surface?.cloud) return;
    if (surface.statistics.points > 0) viewer.setStatus({ state: 'ready' });
    else if (viewer.partsMissing) viewer.setStatus(unreadable);
  }

  #updateWay(): void {
    const { surface, viewer } = this;
    const { clientWidth, clientHeight } = surface?.host ?? { clientWidth: 0, clientHeight: 0 };
    const way =
      surface && viewer.status.state === 'ready'
        ? findWayToCloud(
            this.clouds,
            this.cloud,
            createCloudCamera(surface.view, Math.max(1, clientWidth), Math.max(1, clientHeight)),
          )
        : undefined;
    if (!compareStructural(way, this.wayToCloud)) runInAction(() => (this.wayToCloud = way));
  }

  #watchToken(token: ScanToken): void {
    this.#token = token;
    this.#stopWatchingToken();
    this.#stopWatchingToken = watchToken(token, () => void this.#recheckToken(undefined));
  }

  /** Checks the token after a refused part or at its expiry. If it is valid, sets `fallback` as status. */
  async #recheckToken(fallback: ScanStatus | undefined): Promise<void> {
    const location = this.#services.store.opened?.tour.location;
    const { viewer } = this;
    const { signal } = viewer;
    if (this.#checkedLoad === signal || location === undefined) return;
    this.#checkedLoad = signal;
    try {
      const { token } = await this.#services.http.call<typeof openScans>(
        'GET',
        '/api/scan/:location',
        { params: { location } },
        { signal },
      );
      if (signal.aborted) return;
      this.#watchToken(token);
      const status = findBlockedStatus(token) ?? fallback;
      if (status) viewer.setStatus(status);
    } catch (error) {
      if (signal.aborted) return;
      const { kind } = toFailure(error);
      // Without a connection, the points on screen stay.
      if (kind === 'noAccess' || viewer.status.state !== 'ready') viewer.setStatus({ state: 'failed', reason: kind });
      else if (fallback) viewer.setPartsMissing(true);
      else if (this.#token) this.#watchToken(this.#token);
    } finally {
      if (this.#checkedLoad === signal) this.#checkedLoad = undefined;
    }
  }
}

/** Returns the requested colouring, or one that the cloud supports. */
export function chooseColoring(cloud: PointCloud | undefined, requestedColoring: Coloring): Coloring {
  const extent = cloud?.extent;
  if (!extent) return requestedColoring;
  if (requestedColoring === 'RGB' && !extent.colored) return extent.withIntensity ? 'INTENSITY' : 'HEIGHT';
  if (requestedColoring === 'INTENSITY' && !extent.withIntensity) return extent.colored ? 'RGB' : 'HEIGHT';
  return requestedColoring;
}
