import { action, makeObservable, observableRef, reaction, runInAction } from 'mobx';
import type { Point3 } from '#core';
import type { HttpClient } from '#core/web';
import {
  WebGlUnavailable,
  type CameraController,
  type CameraControllers,
  type TourStore,
  type TourTools,
  type ViewSurfaces,
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
import { blockedBy, toFailureReason, watchToken, type ScanStatus } from '../../stores/scan-status.ts';
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
  readonly http: HttpClient;
}

export type CloudWords = Pick<StationPinsOptions, 'pin' | 'name' | 'label'>;

/** Shows the point cloud of the tour from where the tour's eye is, for as long as it is on screen. Observable. */
export class CloudSession {
  status: ScanStatus = 'loading';
  contextLost = false;
  /** Some parts could not be fetched. */
  partsMissing = false;
  /** Those that can be shown, the newest first. */
  clouds: readonly PointCloud[] = [];
  cloud: PointCloud | undefined;
  words: CloudWords | undefined;
  surface: ShownCloud | undefined;
  stations: readonly ScanStation[] = [];
  readonly #parts: CloudParts;
  #abort = new AbortController();
  #loading = new AbortController();
  #walk: CameraController;
  /** The load whose token is being asked for again. */
  #asking: AbortSignal | undefined;
  /** A load began, and the cloud on screen is still that of the one before. */
  #isReplacing = false;
  #unwatch = (): void => undefined;
  #begin = (): void => undefined;
  #pins: StationPins | undefined;

  constructor(parts: CloudParts) {
    this.#parts = parts;
    this.#walk = parts.walks.from({ position: [0, 0, 0], pan: 0, tilt: 0, fov: 75 });
    makeObservable(this, {
      status: observableRef,
      contextLost: observableRef,
      partsMissing: observableRef,
      clouds: observableRef,
      cloud: observableRef,
      words: observableRef,
      surface: observableRef,
      stations: observableRef,
      setPresentation: action,
    });
  }

  /** Language and looks of the stations. */
  setPresentation(words: CloudWords): void {
    this.words = words;
  }

  start(parent: HTMLElement, label: string): () => void {
    const abort = new AbortController();
    this.#abort = abort;
    const { store, tools, walks } = this.#parts;
    this.#walk = walks.from({ ...tools.view, position: tools.position ?? store.currentNode?.position ?? [0, 0, 0] });
    let leave = (): void => undefined;
    const begin = async (): Promise<void> => {
      const surface = await this.#make();
      if (abort.signal.aborted) return surface.close();
      leave = this.#enter(surface, parent, label);
    };
    this.#begin = () => {
      this.#become('loading');
      begin().catch(
        (error: unknown) =>
          abort.signal.aborted || this.#become(error instanceof WebGlUnavailable ? 'noWebGl' : 'failed'),
      );
    };
    this.#begin();
    return () => {
      abort.abort();
      this.#unwatch();
      this.#loading.abort();
      leave();
    };
  }

  /** Asks for all that is missing once more. */
  retry(): void {
    if (this.status === 'shown') {
      runInAction(() => (this.partsMissing = false));
      this.surface?.retry();
    } else if (this.surface) void this.#load();
    else this.#begin();
  }

  choose(uid: string): void {
    const cloud = this.clouds.find((each) => each.uid === uid);
    if (cloud) void this.#open(cloud);
  }

  /** A box around what is looked at, ahead of the eye. Metres. */
  boxAhead(half: Point3 = [3, 3, 2]): NonNullable<ScanChoices['clip']> {
    const { position, pan } = this.#walk.view;
    const angle = (pan * Math.PI) / 180;
    return {
      centre: [position[0] + Math.sin(angle) * half[1], position[1] + Math.cos(angle) * half[1], position[2]],
      half,
      pan,
    };
  }

  #make(): Promise<ShownCloud> {
    return this.#parts.clouds.make(
      { module: scanModule, view: this.#walk.view },
      {
        settled: () => this.#shownYet(),
        failed: (_, refused) => {
          if (this.#isReplacing) return;
          if (refused) void this.#retryLoad('noAccess');
          else runInAction(() => (this.partsMissing = true));
        },
        contextLost: () => runInAction(() => (this.contextLost = true)),
        contextRestored: () => runInAction(() => (this.contextLost = false)),
      },
    );
  }

  #enter(surface: ShownCloud, parent: HTMLElement, label: string): () => void {
    const { choices, store, surfaces, tools } = this.#parts;
    setHostPresentation(surface.host, label);
    const detach = surface.attach(parent);
    const hand = moveByHand(surface, this.#walk, () => this.#notify());
    runInAction(() => (this.surface = surface));
    const ends = [
      () => surface.close(),
      detach,
      surfaces.offer(surface),
      surface.onChanged(() => this.#shownYet()),
      hand.end,
      reaction(
        () => ({
          view: tools.viewAuthor === scanModule ? undefined : tools.view,
          position: tools.positionAuthor === scanModule ? undefined : tools.position,
          wanted: tools.wanted,
        }),
        ({ view, position, wanted }, before) => {
          // What stays as it was would end a glide.
          this.#follow({
            ...(view === before?.view ? {} : view),
            ...(position && position !== before?.position ? { position } : {}),
          });
          // From the place that one was brought to: what is on screen is told at once.
          if (!wanted || !before || wanted === before.wanted) return;
          const { turn, ...direction } = wanted;
          this.#walk.flyTo(
            direction,
            performance.now(),
            !turn || window.matchMedia('(prefers-reduced-motion: reduce)').matches,
          );
          hand.run();
        },
        { fireImmediately: true },
      ),
      reaction(
        () => ({ size: choices.size, clip: choices.clip, coloring: choices.coloring, cloud: this.cloud }),
        () => this.#setPointPresentation(),
      ),
      reaction(
        () => ({ stations: this.stations, words: this.words, shown: this.status === 'shown' }),
        ({ stations, words, shown }) => {
          this.#pins?.close();
          this.#pins =
            words && shown
              ? new StationPins(surface, stations, { ...words, onActivate: (station) => this.#restoreView(station) })
              : undefined;
        },
        { fireImmediately: true },
      ),
      reaction(
        () => store.opened?.tour.location,
        () => void this.#load(),
        { fireImmediately: true },
      ),
    ];
    return () => {
      this.#pins?.close();
      this.#pins = undefined;
      for (const end of ends.toReversed()) end();
      runInAction(() => (this.surface = undefined));
    };
  }

  #become(status: ScanStatus): void {
    runInAction(() => (this.status = status));
  }

  /** The eye was moved here: shown, and told to the others. */
  #notify(): void {
    const { store, tools } = this.#parts;
    const { position, pan, tilt, fov } = this.#walk.view;
    this.surface?.setView(this.#walk.view);
    runInAction(() => {
      tools.setView({ pan, tilt, fov }, scanModule);
      if (position !== tools.position) store.moveTo(position, scanModule);
    });
  }

  /** The eye was moved by another module, or by the tour. */
  #follow(view: Parameters<CameraController['set']>[0]): void {
    if (Object.keys(view).length === 0) return;
    this.#walk.set(view);
    this.surface?.setView(this.#walk.view);
  }

  #setPointPresentation(): void {
    const { clip, coloring, size } = this.#parts.choices;
    this.surface?.setLook({ clip, size, coloring: chooseColoring(this.cloud, coloring) });
  }

  /** Back to the picture of a station, in the direction that one looks now. */
  #restoreView(station: ScanStation): void {
    const { choices, store, tools } = this.#parts;
    runInAction(() => {
      if (station.node === null) store.moveTo(station.position, scanModule);
      else store.goTo(station.node);
      // The station itself, also where another one belongs to that node too, or one has walked away from it.
      tools.setPosition(station.position);
      choices.setWay('PICTURE');
    });
  }

  async #load(): Promise<void> {
    const { http, store, tools } = this.#parts;
    const location = store.opened?.tour.location;
    if (location === undefined) return;
    this.#loading.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const { signal } = loading;
    this.#isReplacing = true;
    this.#become('loading');
    try {
      const [scans, clouds] = await Promise.all([
        http.call<typeof openScans>('GET', '/api/scan/:location', { params: { location } }, { signal }),
        http.call<typeof listClouds>('GET', '/api/scan/:location/clouds', { params: { location } }, { signal }),
      ]);
      if (signal.aborted) return;
      const ready = clouds.filter(({ address }) => address !== null);
      runInAction(() => {
        this.stations = scans.stations;
        this.clouds = ready;
      });
      this.#unwatch();
      this.#unwatch = watchToken(scans.token, () => void this.#retryLoad(undefined));
      const barred = blockedBy(scans.token);
      const cloud = cloudNear(ready, tools.position ?? [0, 0, 0]);
      if (barred) this.#become(barred);
      else if (cloud) await this.#open(cloud);
      else this.#become(clouds.length > 0 ? 'cloudPreparing' : 'noCloud');
    } catch (error) {
      if (!signal.aborted) this.#become(toFailureReason(error));
    }
  }

  async #open(cloud: PointCloud): Promise<void> {
    const { surface } = this;
    if (!surface || cloud.address === null) return;
    const { signal } = this.#abort;
    runInAction(() => {
      this.status = 'loading';
      this.cloud = cloud;
      this.partsMissing = false;
    });
    this.#isReplacing = false;
    try {
      await surface.open({ kind: cloud.kind, address: cloud.address });
      if (signal.aborted || this.cloud !== cloud) return;
      this.#setPointPresentation();
      this.#shownYet();
    } catch (error) {
      if (signal.aborted || this.cloud !== cloud) return;
      if (error instanceof CloudUnreadable && error.refused) await this.#retryLoad('noAccess');
      else this.#become(error instanceof CloudUnreadable ? 'cloudUnreadable' : navigator.onLine ? 'failed' : 'offline');
    }
  }

  /** The first points are on screen, or nothing will come any more. */
  #shownYet(): void {
    const { surface } = this;
    if (this.status !== 'loading' || !surface?.cloud) return;
    if (surface.statistics.points > 0) this.#become('shown');
    else if (this.partsMissing) this.#become('cloudUnreadable');
  }

  /**
   * A part was refused, or the time of the token has come: asks whether scans may still be seen. Once all is loaded
   * anew the answer counts no more.
   */
  async #retryLoad(otherwise: ScanStatus | undefined): Promise<void> {
    const location = this.#parts.store.opened?.tour.location;
    const { signal } = this.#loading;
    if (this.#asking === signal || location === undefined) return;
    this.#asking = signal;
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
      if (status) this.#become(status);
    } catch (error) {
      if (!signal.aborted) this.#become(toFailureReason(error));
    } finally {
      if (this.#asking === signal) this.#asking = undefined;
    }
  }
}

/** The cloud that holds the eye, or else the one nearest to it; of several the newest, which comes first. */
export function cloudNear(clouds: readonly PointCloud[], eye: Point3): PointCloud | undefined {
  const metres = ({ extent }: PointCloud): number => (extent ? distanceToBox(eye, extent) : Number.MAX_VALUE);
  return clouds.toSorted((a, b) => metres(a) - metres(b))[0];
}

/** What can be shown of what is wanted. */
export function chooseColoring(cloud: PointCloud | undefined, wanted: Coloring): Coloring {
  const extent = cloud?.extent;
  if (!extent) return wanted;
  if (wanted === 'RGB' && !extent.colored) return extent.withIntensity ? 'INTENSITY' : 'HEIGHT';
  if (wanted === 'INTENSITY' && !extent.withIntensity) return extent.colored ? 'RGB' : 'HEIGHT';
  return wanted;
}
