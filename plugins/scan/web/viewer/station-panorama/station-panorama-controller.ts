import { action, makeObservable, observableRef, reaction, runInAction } from 'mobx';
import { toFailure, type HttpClient, type Text } from '#core/web';
import type {
  PanoramaEngine,
  PanoramaEngines,
  PanoramaPin,
  PanoramaView,
  TourStore,
  TourTools,
  Viewer,
  ViewerFailure,
  Viewers,
  ViewSurface,
  ViewSurfaces,
} from '#plugins/tour';
import { findBlockedStatus, watchToken, type ScanReason, type ScanStatus } from '../../stores/scan-status.ts';
import { scanModule } from '../../../contract/index.ts';
import { shownScan } from './shown-scan.ts';
import { toPicture, stationAt } from './station-at.ts';
import { toPinDirection } from './to-pin-direction.ts';
import type { openScans, ScanStation, ScanToken } from '../../../contract/api.ts';

export interface StationPanoramaServices {
  readonly engines: PanoramaEngines;
  readonly surfaces: ViewSurfaces;
  readonly store: TourStore;
  readonly tools: TourTools;
  readonly viewers: Viewers;
  readonly http: HttpClient;
}

export interface StationPanoramaPresentation {
  readonly t: Text;
  /** Class names of a pin and its label. */
  readonly pinClassName: string;
  readonly labelClassName: string;
}

/** Shows the scan station of the current node in the direction of the tour while the module is on screen. */
export class StationPanoramaController {
  readonly viewer: Viewer<ScanReason>;
  station: ScanStation | undefined;
  presentation: StationPanoramaPresentation | undefined;
  readonly #services: StationPanoramaServices;
  #stations: readonly ScanStation[] | undefined;
  #engine: PanoramaEngine | undefined;
  #stopWatchingToken = (): void => undefined;

  constructor(services: StationPanoramaServices) {
    this.#services = services;
    this.viewer = services.viewers.create({ module: scanModule });
    makeObservable(this, {
      station: observableRef,
      presentation: observableRef,
      setPresentation: action,
    });
  }

  /** Sets the language and the styles of the pins. */
  setPresentation(presentation: StationPanoramaPresentation): void {
    this.presentation = presentation;
  }

  start(host: HTMLElement, label: string): () => void {
    let detach: () => void;
    return this.viewer.start({
      open: () => {
        const engine = this.#services.engines.getEngine(scanModule);
        detach = engine.attach(host, { label });
        return engine;
      },
      enter: (engine) => [detach, ...this.#enter(engine)],
      reload: () => {
        this.#stations = undefined;
        this.#load(undefined);
      },
    });
  }

  /** Reloads the stations and the panorama, or its missing tiles. */
  retry(): void {
    const { viewer } = this;
    if (viewer.partsMissing && viewer.status.state === 'ready') this.#engine?.retryTiles();
    else viewer.retry();
  }

  #enter(engine: PanoramaEngine): readonly (() => void)[] {
    const { surfaces, store } = this.#services;
    const { viewer } = this;
    this.#engine = engine;
    return [
      () => {
        this.#engine = undefined;
        this.#stopWatchingToken();
        store.write(shownScan, undefined);
      },
      surfaces.register(
        reportFailures(engine.surface(scanModule), {
          hasRanges: () => this.station?.ranges !== null,
          onFailed: () => void this.#checkAccess(),
        }),
      ),
      engine.on('viewChanged', (view) => viewer.report(view)),
      engine.on('failed', ({ id }) => void this.#handleFailed(id)),
      engine.on('tilesMissing', (areMissing) => void this.#handleMissingTiles(areMissing)),
      viewer.follow({
        setView: (view) => engine.setView(view),
        turnTo: (view) => void engine.turnTo(view),
        viewpoint: () => store.currentNode,
        moveToViewpoint: (view) => this.#load(view),
      }),
      reaction(
        () => this.#buildPins(),
        (pins) => engine.setPins(pins),
        { fireImmediately: true },
      ),
    ];
  }

  /** @param view view at the new node; the direction does not change if it is undefined */
  #load(view: Partial<PanoramaView> | undefined): void {
    if (this.#services.store.currentNode) void this.viewer.load((signal) => this.#show(view, signal));
  }

  async #show(view: Partial<PanoramaView> | undefined, signal: AbortSignal): Promise<ScanStatus | undefined> {
    const { store, tools } = this.#services;
    const node = store.currentNode;
    this.station = undefined;
    const stations = this.#stations ?? (await this.#fetchStations());
    if (signal.aborted || !stations || !node) return undefined;
    const station = stationAt(stations, node, tools.position ?? node.position);
    runInAction(() => (this.station = station));
    if (!station) return { state: 'empty', reason: 'noStation' };
    const picture = toPicture(station, store.nodes);
    if (!picture) return { state: 'empty', reason: 'noPicture' };
    const shown = await this.#engine?.show(picture, {
      transition: this.viewer.beginTransition(node),
      ...(view ? { view } : {}),
    });
    // An error is reported by the event `failed`.
    if (!shown || !this.#engine) return undefined;
    // The next node may already be loading.
    this.viewer.setNodeOnScreen(node);
    // The access ended during the load. The status is already set.
    if (signal.aborted || !this.#stations) return undefined;
    store.write(shownScan, station.uid);
    return { state: 'ready' };
  }

  /**
   * Loads the stations. If they may not be shown, sets the reason as status and returns undefined.
   *
   * @throws ApiError
   */
  async #fetchStations(): Promise<readonly ScanStation[] | undefined> {
    const engine = this.#engine;
    const location = this.#services.store.opened?.tour.location;
    if (location === undefined) return undefined;
    const { stations, token } = await this.#services.http.call<typeof openScans>('GET', '/api/scan/:location', {
      params: { location },
    });
    // Another load does not make the reply invalid, but leaving the module does.
    if (!engine || this.#engine !== engine) return undefined;
    this.#watchToken(token);
    const blockedStatus = findBlockedStatus(token);
    this.#stations = blockedStatus ? undefined : stations;
    if (blockedStatus) this.viewer.setStatus(blockedStatus);
    return this.#stations;
  }

  /** Checks the token at its expiry, and again until the server has replied. */
  #watchToken(token: ScanToken): void {
    this.#stopWatchingToken();
    this.#stopWatchingToken = watchToken(token, () => {
      void this.#checkAccess().then((isKnown) => {
        if (!isKnown && this.#engine) this.#watchToken(token);
      });
    });
  }

  /**
   * Sets the reason as status if the stations may not be shown any more. Without a connection, they stay. Returns
   * whether the server has replied.
   */
  async #checkAccess(): Promise<boolean> {
    try {
      await this.#fetchStations();
      return true;
    } catch (error) {
      return this.#endIfForbidden(error);
    }
  }

  #endIfForbidden(error: unknown): boolean {
    if (toFailure(error).kind !== 'noAccess') return false;
    this.#stations = undefined;
    this.viewer.setStatus({ state: 'failed', reason: 'noAccess' });
    return true;
  }

  /** Stays at the node on screen if the next panorama is unreadable. Without a node on screen, shows the reason. */
  async #handleFailed(id: string): Promise<void> {
    const { station, viewer } = this;
    const { signal } = viewer;
    if (!station || toPicture(station, this.#services.store.nodes)?.tiles.id !== id) return;
    let reason: ViewerFailure = 'failed';
    try {
      // The token may have expired.
      if (!(await this.#fetchStations())) return;
    } catch (error) {
      if (signal.aborted || this.#endIfForbidden(error)) return;
      reason = toFailure(error).kind;
    }
    if (!signal.aborted && !viewer.returnToNodeOnScreen()) viewer.setStatus({ state: 'failed', reason });
  }

  /** Reports missing tiles, or that the token has expired. */
  async #handleMissingTiles(areMissing: boolean): Promise<void> {
    this.viewer.setPartsMissing(areMissing);
    if (areMissing) await this.#checkAccess();
  }

  #buildPins(): readonly PanoramaPin[] {
    const { viewer, presentation, station } = this;
    const { store } = this.#services;
    const currentNode = store.currentNode;
    if (viewer.status.state !== 'ready' || !presentation || !currentNode || !station) return [];
    return store.links
      .filter((link) => link.from === currentNode.uid)
      .flatMap((link) => {
        const target = store.nodes.find((node) => node.uid === link.to);
        if (!target) return [];
        return [
          {
            id: `to ${link.to}`,
            ...toPinDirection(station.position, currentNode, target, link),
            label: presentation.t('scan.goTo', { name: target.name }),
            className: presentation.pinClassName,
            render: (button: HTMLButtonElement) =>
              button.append(
                Object.assign(document.createElement('span'), {
                  className: presentation.labelClassName,
                  textContent: target.name,
                }),
              ),
            onActivate: () => store.goTo(target.uid),
          },
        ];
      });
  }
}

/**
 * Wraps a surface so that failed requests are reported, because the server refuses ranges after the token has expired.
 * Before its station is known, a surface counts as one with ranges.
 */
function reportFailures(
  surface: ViewSurface,
  { hasRanges, onFailed }: { readonly hasRanges: () => boolean; readonly onFailed: () => void },
): ViewSurface {
  const reportFailure = <T>(reply: Promise<T>): Promise<T> => {
    reply.catch(onFailed);
    return reply;
  };
  return {
    module: surface.module,
    host: surface.host,
    ...(surface.isCorrectable ? { isCorrectable: true } : {}),
    ready: () => surface.ready?.() ?? Promise.resolve(),
    isMoving: () => surface.isMoving?.() === true,
    hasDepth: () => hasRanges() || surface.hasDepth?.() === true,
    pick: (x, y) => reportFailure(surface.pick(x, y)),
    findSurfacePoints: (pick, radius) => reportFailure(surface.findSurfacePoints(pick, radius)),
    mesh: (pick, radius) => surface.mesh?.(pick, radius) ?? Promise.resolve(undefined),
    toPixel: (point) => surface.toPixel(point),
    sees: (point) => surface.sees(point),
    onChanged: (listener) => surface.onChanged(listener),
    takePicture: () => surface.takePicture(),
  };
}
