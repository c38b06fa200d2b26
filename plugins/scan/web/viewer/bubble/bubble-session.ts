import { action, makeObservable, observableRef, reaction, runInAction } from 'mobx';
import type { HttpClient, Text } from '#core/web';
import { blockedBy, toFailureReason, watchToken, type ScanStatus } from '../../stores/scan-status.ts';
import {
  WebGlUnavailable,
  type PanoramaEngine,
  type PanoramaEngines,
  type PanoramaPin,
  type PanoramaView,
  type TourNode,
  type TourStore,
  type TourTools,
  type ViewSurface,
  type ViewSurfaces,
} from '#plugins/tour';
import { scanModule } from '../../../contract/index.ts';
import { shownScan } from './shown-scan.ts';
import { toPicture, stationAt } from './station-at.ts';
import { relativeView } from './relative-view.ts';
import type { openScans, ScanStation, ScanToken } from '../../../contract/api.ts';

export interface BubbleParts {
  readonly engines: PanoramaEngines;
  readonly surfaces: ViewSurfaces;
  readonly store: TourStore;
  readonly tools: TourTools;
  readonly http: HttpClient;
}

export interface BubbleWords {
  readonly t: Text;
  /** Class names of a pin and its name. */
  readonly pin: string;
  readonly name: string;
}

/** What the tour says of where to stand, and to look there. */
interface Followed {
  readonly node: TourNode | undefined;
  readonly wanted: TourTools['wanted'];
}

/**
 * Stands at the scan station of the present node and looks where the tour looks, for as long as the module is on
 * screen. Observable.
 */
export class BubbleSession {
  status: ScanStatus = 'loading';
  contextLost = false;
  /** Some tiles in view could not be fetched. */
  partsMissing = false;
  token: ScanToken | undefined;
  station: ScanStation | undefined;
  words: BubbleWords | undefined;
  readonly #parts: BubbleParts;
  #stations: readonly ScanStation[] | undefined;
  #engine: PanoramaEngine | undefined;
  #last: string | undefined;
  #attempt = 0;
  #unwatch = (): void => undefined;

  constructor(parts: BubbleParts) {
    this.#parts = parts;
    makeObservable(this, {
      status: observableRef,
      contextLost: observableRef,
      partsMissing: observableRef,
      token: observableRef,
      station: observableRef,
      words: observableRef,
      setPresentation: action,
    });
  }

  /** Language and looks of the pins. */
  setPresentation(words: BubbleWords): void {
    this.words = words;
  }

  start(host: HTMLElement, label: string): () => void {
    const { engines, surfaces, store, tools } = this.#parts;
    const engine = engines.of(scanModule);
    let detach: () => void;
    try {
      detach = engine.attach(host, { label });
    } catch (error) {
      if (!(error instanceof WebGlUnavailable)) throw error;
      runInAction(() => (this.status = 'noWebGl'));
      return () => undefined;
    }
    this.#engine = engine;
    engine.setView(tools.view);
    runInAction(() => (this.contextLost = engine.lost));
    const ends = [
      detach,
      surfaces.offer(
        watched(engine.surface(scanModule), {
          hasDepth: () => this.station?.ranges !== null,
          failed: () => void this.#retryLoad(),
        }),
      ),
      engine.on('viewChanged', (view) => tools.setView(view, scanModule)),
      engine.on('failed', ({ id }) => void this.#failed(id)),
      engine.on('tilesMissing', (missing) => void this.#missing(missing)),
      engine.on('contextLost', () => runInAction(() => (this.contextLost = true))),
      engine.on('contextRestored', () => runInAction(() => (this.contextLost = false))),
      reaction(
        () => ({ node: store.currentNode, wanted: tools.wanted }),
        (now, before) => this.#follow(now, before),
        { fireImmediately: true },
      ),
      reaction(
        () => tools.view,
        (view) => tools.viewAuthor !== scanModule && engine.setView(view),
      ),
      reaction(
        () => this.#pins(),
        (pins) => engine.setPins(pins),
        { fireImmediately: true },
      ),
    ];
    return () => {
      for (const end of ends.toReversed()) end();
      this.#engine = undefined;
      this.#last = undefined;
      this.#attempt += 1;
      this.#unwatch();
      store.write(shownScan, undefined);
    };
  }

  /** Asks once more for stations and picture, or for the parts of it that are missing. */
  retry(): void {
    if (this.partsMissing && this.status === 'shown') return this.#engine?.retryTiles();
    this.#stations = undefined;
    void this.#go(undefined);
  }

  #follow(now: Followed, before: Followed | undefined): void {
    const wanted = now.wanted === before?.wanted ? undefined : now.wanted;
    if (now.node !== before?.node) void this.#go(before?.node ? wanted && withoutTurn(wanted) : this.#parts.tools.view);
    else if (wanted?.turn) void this.#engine?.turnTo(wanted);
    else if (wanted) this.#engine?.setView(wanted);
  }

  /** `view`: where to look there; undefined: on as one looks. */
  async #go(view: Partial<PanoramaView> | undefined): Promise<void> {
    const attempt = ++this.#attempt;
    const { store, tools } = this.#parts;
    const node = store.currentNode;
    if (!node) return;
    runInAction(() => {
      this.status = 'loading';
      this.station = undefined;
    });
    const stations = this.#stations ?? (await this.#fetch());
    if (attempt !== this.#attempt || !stations) return;
    const station = stationAt(stations, node, tools.position ?? node.position);
    const picture = station && toPicture(station, store.nodes);
    runInAction(() => {
      this.station = station;
      this.status = station ? (picture ? 'loading' : 'noPicture') : 'noStation';
    });
    if (!station || !picture) return;
    const linked =
      this.#last !== undefined && store.links.some((link) => link.from === this.#last && link.to === node.uid);
    this.#last = node.uid;
    const shown = await this.#engine?.show(picture, {
      transition: linked ? 'walk' : 'fade',
      ...(view ? { view } : {}),
    });
    if (!shown || attempt !== this.#attempt) return;
    store.write(shownScan, station.uid);
    runInAction(() => (this.status = 'shown'));
  }

  async #fetch(): Promise<readonly ScanStation[] | undefined> {
    const attempt = this.#attempt;
    const location = this.#parts.store.opened?.tour.location;
    if (location === undefined) return undefined;
    try {
      const { stations, token } = await this.#parts.http.call<typeof openScans>('GET', '/api/scan/:location', {
        params: { location },
      });
      if (attempt !== this.#attempt) return undefined;
      this.#unwatch();
      this.#unwatch = watchToken(token, () => void this.#retryLoad());
      const barred = blockedBy(token);
      runInAction(() => {
        this.token = token;
        if (barred) this.status = barred;
      });
      if (barred) return undefined;
      this.#stations = stations;
      return stations;
    } catch (error) {
      if (attempt === this.#attempt) runInAction(() => (this.status = toFailureReason(error)));
      return undefined;
    }
  }

  /** A picture could not be read: perhaps because the token expired meanwhile. */
  async #failed(id: string): Promise<void> {
    const station = this.station;
    if (!station || toPicture(station, this.#parts.store.nodes)?.tiles.id !== id) return;
    const stations = await this.#retryLoad();
    if (stations && this.station === station) runInAction(() => (this.status = 'failed'));
  }

  /** Parts could not be read: perhaps because the token expired meanwhile, which is said instead. */
  async #missing(missing: boolean): Promise<void> {
    runInAction(() => (this.partsMissing = missing));
    if (missing) await this.#retryLoad();
  }

  /** Whether scans may still be seen; where not, the status says so. */
  #retryLoad(): Promise<readonly ScanStation[] | undefined> {
    this.#stations = undefined;
    return this.#fetch();
  }

  #pins(): readonly PanoramaPin[] {
    const { status, words, station } = this;
    const { store } = this.#parts;
    const here = store.currentNode;
    if (status !== 'shown' || !words || !here || !station) return [];
    return store.links
      .filter((link) => link.from === here.uid)
      .flatMap((link) => {
        const target = store.nodes.find((node) => node.uid === link.to);
        if (!target) return [];
        return [
          {
            id: `to ${link.to}`,
            ...relativeView(station.position, here, target, link),
            label: words.t('scan.goTo', { name: target.name }),
            className: words.pin,
            render: (button: HTMLButtonElement) =>
              button.append(
                Object.assign(document.createElement('span'), { className: words.name, textContent: target.name }),
              ),
            onActivate: () => store.goTo(target.uid),
          },
        ];
      });
  }
}

function withoutTurn({ pan, tilt, fov }: NonNullable<TourTools['wanted']>): Partial<PanoramaView> {
  return {
    ...(pan === undefined ? {} : { pan }),
    ...(tilt === undefined ? {} : { tilt }),
    ...(fov === undefined ? {} : { fov }),
  };
}

/**
 * A surface whose failed answers are told: ranges are refused when the token has expired. Until a station is known it
 * may have ranges.
 */
function watched(
  surface: ViewSurface,
  { hasDepth, failed }: { readonly hasDepth: () => boolean; readonly failed: () => void },
): ViewSurface {
  const told = <T>(answer: Promise<T>): Promise<T> => {
    answer.catch(failed);
    return answer;
  };
  return {
    module: surface.module,
    host: surface.host,
    ...(surface.corrected ? { corrected: true } : {}),
    ready: () => surface.ready?.() ?? Promise.resolve(),
    hasDepth,
    pick: (x, y) => told(surface.pick(x, y)),
    patch: (pick, radius) => told(surface.patch(pick, radius)),
    toPixel: (point) => surface.toPixel(point),
    sees: (point) => surface.sees(point),
    onChanged: (listener) => surface.onChanged(listener),
    picture: () => surface.picture(),
  };
}
