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
  Viewers,
  ViewSurface,
  ViewSurfaces,
} from '#plugins/tour';
import { blockedBy, watchToken, type ScanReason, type ScanStatus } from '../../stores/scan-status.ts';
import { scanModule } from '../../../contract/index.ts';
import { shownScan } from './shown-scan.ts';
import { toPicture, stationAt } from './station-at.ts';
import { relativeView } from './relative-view.ts';
import type { openScans, ScanStation } from '../../../contract/api.ts';

export interface BubbleParts {
  readonly engines: PanoramaEngines;
  readonly surfaces: ViewSurfaces;
  readonly store: TourStore;
  readonly tools: TourTools;
  readonly viewers: Viewers;
  readonly http: HttpClient;
}

export interface BubblePresentation {
  readonly t: Text;
  /** Class names of a pin and its label. */
  readonly pin: string;
  readonly name: string;
}

/**
 * Shows the scan station of the current node in the direction of the tour while the module is on screen. Observable.
 */
export class BubbleController {
  readonly viewer: Viewer<ScanReason>;
  station: ScanStation | undefined;
  presentation: BubblePresentation | undefined;
  readonly #parts: BubbleParts;
  #stations: readonly ScanStation[] | undefined;
  #engine: PanoramaEngine | undefined;
  #last: string | undefined;
  #unwatch = (): void => undefined;

  constructor(parts: BubbleParts) {
    this.#parts = parts;
    this.viewer = parts.viewers.create({ module: scanModule });
    makeObservable(this, {
      station: observableRef,
      presentation: observableRef,
      setPresentation: action,
    });
  }

  /** Language and styles of the pins. */
  setPresentation(presentation: BubblePresentation): void {
    this.presentation = presentation;
  }

  start(host: HTMLElement, label: string): () => void {
    let detach: () => void;
    return this.viewer.start({
      open: () => {
        const engine = this.#parts.engines.getEngine(scanModule);
        detach = engine.attach(host, { label });
        return engine;
      },
      enter: (engine) => [detach, ...this.#enter(engine)],
      reload: () => {
        this.#stations = undefined;
        this.#go(undefined);
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
    const { surfaces, store } = this.#parts;
    const { viewer } = this;
    this.#engine = engine;
    return [
      () => {
        this.#engine = undefined;
        this.#last = undefined;
        this.#unwatch();
        store.write(shownScan, undefined);
      },
      surfaces.register(
        watched(engine.surface(scanModule), {
          hasDepth: () => this.station?.ranges !== null,
          failed: () => void this.#retryLoad(),
        }),
      ),
      engine.on('viewChanged', (view) => viewer.report(view)),
      engine.on('failed', ({ id }) => void this.#failed(id)),
      engine.on('tilesMissing', (missing) => void this.#missing(missing)),
      viewer.follow({
        setView: (view) => engine.setView(view),
        turnTo: (view) => void engine.turnTo(view),
        viewpoint: () => store.currentNode,
        goTo: (view) => this.#go(view),
      }),
      reaction(
        () => this.#pins(),
        (pins) => engine.setPins(pins),
        { fireImmediately: true },
      ),
    ];
  }

  /** @param view direction at the new node; undefined keeps the current direction */
  #go(view: Partial<PanoramaView> | undefined): void {
    if (this.#parts.store.currentNode) void this.viewer.load((signal) => this.#show(view, signal));
  }

  async #show(view: Partial<PanoramaView> | undefined, signal: AbortSignal): Promise<ScanStatus | undefined> {
    const { store, tools } = this.#parts;
    const node = store.currentNode;
    this.station = undefined;
    const stations = this.#stations ?? (await this.#fetch());
    if (signal.aborted || !stations || !node) return undefined;
    const station = stationAt(stations, node, tools.position ?? node.position);
    runInAction(() => (this.station = station));
    if (!station) return { state: 'empty', reason: 'noStation' };
    const picture = toPicture(station, store.nodes);
    if (!picture) return { state: 'empty', reason: 'noPicture' };
    const linked =
      this.#last !== undefined && store.links.some((link) => link.from === this.#last && link.to === node.uid);
    this.#last = node.uid;
    const shown = await this.#engine?.show(picture, {
      transition: linked ? 'walk' : 'fade',
      ...(view ? { view } : {}),
    });
    // The event `failed` reports errors.
    if (!shown || signal.aborted) return undefined;
    store.write(shownScan, station.uid);
    return { state: 'ready' };
  }

  /** Undefined if no stations may be shown; the status then has the reason. */
  async #fetch(): Promise<readonly ScanStation[] | undefined> {
    const { viewer } = this;
    const { signal } = viewer;
    const location = this.#parts.store.opened?.tour.location;
    if (location === undefined) return undefined;
    try {
      const { stations, token } = await this.#parts.http.call<typeof openScans>('GET', '/api/scan/:location', {
        params: { location },
      });
      if (signal.aborted) return undefined;
      this.#unwatch();
      this.#unwatch = watchToken(token, () => void this.#retryLoad());
      const barred = blockedBy(token);
      if (barred) {
        viewer.setStatus(barred);
        return undefined;
      }
      this.#stations = stations;
      return stations;
    } catch (error) {
      if (!signal.aborted) viewer.setStatus({ state: 'failed', reason: toFailure(error).kind });
      return undefined;
    }
  }

  /** Handles an unreadable panorama. The cause may be a token that has expired. */
  async #failed(id: string): Promise<void> {
    const station = this.station;
    if (!station || toPicture(station, this.#parts.store.nodes)?.tiles.id !== id) return;
    const stations = await this.#retryLoad();
    if (stations && this.station === station) this.viewer.setStatus({ state: 'failed', reason: 'failed' });
  }

  /** Handles missing tiles. Shows the token's state instead if it has expired. */
  async #missing(missing: boolean): Promise<void> {
    this.viewer.setPartsMissing(missing);
    if (missing) await this.#retryLoad();
  }

  /** Whether scans may still be shown; otherwise sets the reason as status. */
  #retryLoad(): Promise<readonly ScanStation[] | undefined> {
    this.#stations = undefined;
    return this.#fetch();
  }

  #pins(): readonly PanoramaPin[] {
    const { viewer, presentation, station } = this;
    const { store } = this.#parts;
    const here = store.currentNode;
    if (viewer.status.state !== 'ready' || !presentation || !here || !station) return [];
    return store.links
      .filter((link) => link.from === here.uid)
      .flatMap((link) => {
        const target = store.nodes.find((node) => node.uid === link.to);
        if (!target) return [];
        return [
          {
            id: `to ${link.to}`,
            ...relativeView(station.position, here, target, link),
            label: presentation.t('scan.goTo', { name: target.name }),
            className: presentation.pin,
            render: (button: HTMLButtonElement) =>
              button.append(
                Object.assign(document.createElement('span'), {
                  className: presentation.name,
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
 * Wraps the surface so that failed requests are reported: the server refuses ranges after the token has expired. A
 * surface without a known station counts as one with ranges.
 */
function watched(
  surface: ViewSurface,
  { hasDepth, failed }: { readonly hasDepth: () => boolean; readonly failed: () => void },
): ViewSurface {
  const reportFailure = <T>(answer: Promise<T>): Promise<T> => {
    answer.catch(failed);
    return answer;
  };
  return {
    module: surface.module,
    host: surface.host,
    ...(surface.corrected ? { corrected: true } : {}),
    ready: () => surface.ready?.() ?? Promise.resolve(),
    hasDepth,
    pick: (x, y) => reportFailure(surface.pick(x, y)),
    patch: (pick, radius) => reportFailure(surface.patch(pick, radius)),
    toPixel: (point) => surface.toPixel(point),
    sees: (point) => surface.sees(point),
    onChanged: (listener) => surface.onChanged(listener),
    takePicture: () => surface.takePicture(),
  };
}
