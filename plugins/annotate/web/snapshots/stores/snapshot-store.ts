import { inject, injectable } from 'inversify';
import { action, computed, makeObservable, observableRef } from 'mobx';
import { encodeViewState } from '#core';
import { BrowserStorage, HttpClient, I18n, Locations, Navigation, ServerEvents, Session, Sites } from '#core/web';
import type { Snapshot, StoredPoint } from '#plugins/annotate';
import { captureView, type ViewSurface, type ViewSurfaces } from '#plugins/tour';
import { AnnotationStore } from '../../annotations/stores/annotation-store.ts';
import { formatAnnotation } from '../../annotations/components/format-annotation.ts';
import { formatDatum, formatMark } from '../../measure/components/format-result.ts';
import { MeasureStore } from '../../measure/stores/measure-store.ts';
import { tourAddress, type ToolPlace } from '../../viewer/tool-place.ts';
import { filterByText, ItemStore } from '../../stores/item-store.ts';
import { toWriter } from '../../stores/writer.ts';
import { SnapshotCamera } from '../viewer/snapshot-camera.ts';
import { SnapshotImageStore } from './snapshot-image-store.ts';
import { SnapshotList, type ListedSnapshot } from './snapshot-list.ts';
import { Taking, type MarksInSight } from './taking.ts';

/** The layer of the address that contains the uid of the selected snapshot. */
const snapshotLayer = 'snapshot';
export interface SnapshotPlace extends ToolPlace {
  readonly surfaces: ViewSurfaces;
  /** Whether the window is wide enough for the list to open by itself. */
  readonly isWide: () => boolean;
}

/** The input of a person for a snapshot. */
export interface SnapshotWords {
  readonly name: string;
  readonly text: string;
  readonly shared: boolean;
}

/** Snapshots of a tour: the one being taken and the saved ones. Observable. */
@injectable()
export class SnapshotStore extends ItemStore<SnapshotPlace, Snapshot> {
  readonly list: SnapshotList;
  taking: Taking | undefined;
  words = '';
  readonly #camera: SnapshotCamera;
  readonly #measurements: MeasureStore;
  readonly #annotations: AnnotationStore;
  readonly #i18n: I18n;
  readonly #navigation: Navigation;
  readonly #sites: Sites;

  constructor(
    @inject(HttpClient) http: HttpClient,
    @inject(BrowserStorage) storage: BrowserStorage,
    @inject(Session) session: Session,
    @inject(SnapshotImageStore) box: SnapshotImageStore,
    @inject(SnapshotCamera) camera: SnapshotCamera,
    @inject(MeasureStore) measurements: MeasureStore,
    @inject(AnnotationStore) annotations: AnnotationStore,
    @inject(I18n) i18n: I18n,
    @inject(Navigation) navigation: Navigation,
    @inject(Sites) sites: Sites,
    @inject(ServerEvents) events: ServerEvents,
    @inject(Locations) locations: Locations,
  ) {
    super({ layer: snapshotLayer, panel: 'annotate.snapshots' });
    this.list = new SnapshotList({ http, storage, events, locations, me: () => toWriter(session.me) }, box);
    this.#camera = camera;
    this.#measurements = measurements;
    this.#annotations = annotations;
    this.#i18n = i18n;
    this.#navigation = navigation;
    this.#sites = sites;
    makeObservable(this, {
      taking: observableRef,
      words: observableRef,
      shown: computed,
      take: action,
      discard: action,
      save: action,
      setWords: action,
    });
  }

  /** The snapshots whose name, text, tag or author matches the search. */
  get shown(): readonly ListedSnapshot[] {
    return filterByText(this.list.all, this.words, ({ name, text, tagNumber, author }) => [
      name,
      text,
      tagNumber ?? '',
      author,
    ]);
  }

  setWords(words: string): void {
    this.words = words;
  }

  /** Takes a snapshot of the screen. Does nothing if no surface can be captured. */
  take(): void {
    const { place } = this;
    const { opened, currentNode, selectedTag } = place?.store ?? {};
    const surfaces = place?.surfaces.all ?? [];
    if (!place || !opened || surfaces.length === 0) return;
    this.discard();
    this.taking = new Taking(this.#camera, surfaces, (surface) => this.#inSight(surface), {
      view: viewTaken(place),
      node: currentNode?.uid ?? null,
      location: currentNode?.location ?? opened.tour.location,
      tour: opened.tour.uid,
      tag: selectedTag?.details?.uid ?? null,
    });
  }

  discard(): void {
    this.taking?.end();
    this.taking = undefined;
  }

  /** Saves the snapshot being taken. Does nothing before its picture is ready. */
  save({ name, text, shared }: SnapshotWords): void {
    const { taking, place } = this;
    if (!place || !taking?.taken || name.trim() === '') return;
    const { picture, thumbnail } = taking.taken;
    const { location, ...of } = taking.of;
    const uid = crypto.randomUUID();
    const { marks } = taking;
    this.discard();
    if (place.isWide()) this.setPanelShown(true);
    void this.list.add(
      uid,
      location,
      { ...of, name: name.trim(), text: text.trim(), marks: marks.slice(0, maxMarks), shared, version: 0 },
      { picture, thumbnail },
    );
  }

  /** Restores both halves of a split view, which only an address can express. */
  override goTo(snapshot: Snapshot): void {
    if (this.place) this.#navigation.goToAddress(tourAddress(this.place, this.formatQuery(snapshot)));
  }

  #inSight(surface: ViewSurface): MarksInSight {
    const style = { language: this.#i18n.language, unit: this.#measurements.unit };
    const t = (id: string, values: Readonly<Record<string, string | number>>): string => this.#i18n.text(id, values);
    const { width, height } = surface.host.getBoundingClientRect();
    const seen = (points: readonly StoredPoint[]): boolean =>
      points.some(({ point }) => {
        const pixel = surface.toPixel(point);
        return (
          pixel !== undefined &&
          pixel.x >= 0 &&
          pixel.y >= 0 &&
          pixel.x <= width &&
          pixel.y <= height &&
          surface.sees(point)
        );
      });
    return new Map([
      ...(this.#measurements.drawn ? this.#measurements.shown : [])
        .filter(({ points }) => seen(points))
        .map((each) => {
          const words = formatMark(each, this.#sites.recordAt(each.location), style, t);
          return [each.uid, { name: each.name, words }] as const;
        }),
      ...(this.#annotations.drawn ? this.#annotations.shown : [])
        .filter(({ points }) => seen(points))
        .map(
          (each) =>
            [
              each.uid,
              {
                name: each.name,
                words: [
                  [formatAnnotation(each, style), each.text].filter((words) => words !== '').join(' · '),
                  each.kind === 'CORDINATES' ? formatDatum(this.#sites.recordAt(each.location), style, t) : '',
                ]
                  .filter((line) => line !== '')
                  .join('\n'),
              },
            ] as const,
        ),
    ]);
  }
}

/** Limited to the number that the server accepts. */
const maxMarks = 200;

/** The whole view with both halves, without the selected snapshot. */
function viewTaken({ store, tools }: ToolPlace): string | null {
  const view = captureView(store, tools);
  if (!view) return null;
  const { layers = {}, ...rest } = view;
  const { [snapshotLayer]: _, ...others } = layers;
  return encodeViewState({ ...rest, ...(Object.keys(others).length === 0 ? {} : { layers: others }) });
}
