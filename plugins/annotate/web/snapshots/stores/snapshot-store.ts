import { inject, injectable } from 'inversify';
import { action, computed, makeObservable, observableRef } from 'mobx';
import { encodeViewState } from '#core';
import { BrowserStorage, HttpClient, I18n, Locations, Navigation, ServerEvents, Session, Sites } from '#core/web';
import type { Snapshot } from '#plugins/annotate';
import { captureView, type ViewSurface, type ViewSurfaces } from '#plugins/tour';
import { AnnotationStore } from '../../annotations/stores/annotation-store.ts';
import { formatAnnotation } from '../../annotations/components/format-annotation.ts';
import { formatDatum, formatMark } from '../../measure/components/format-result.ts';
import { MeasureStore } from '../../measure/stores/measure-store.ts';
import { formatTourPath, type ToolContext } from '../../viewer/tool-context.ts';
import { filterByText, ItemStore } from '../../stores/item-store.ts';
import { toItemAuthor } from '../../stores/item-author.ts';
import { findDrawnItems } from '../viewer/find-drawn-items.ts';
import { SnapshotCamera } from '../viewer/snapshot-camera.ts';
import { SnapshotImageStore } from './snapshot-image-store.ts';
import { SnapshotList, type ListedSnapshot } from './snapshot-list.ts';
import { SnapshotDraft, type SurfaceMarks } from './snapshot-draft.ts';

/** The view layer whose URL parameter contains the uid of the selected snapshot. */
const snapshotLayer = 'snapshot';
export interface SnapshotContext extends ToolContext {
  readonly surfaces: ViewSurfaces;
  /** Whether the window is wide enough for the list to open by itself. */
  readonly isWide: () => boolean;
}

/** The values that a person enters for a snapshot. */
export interface SnapshotFormValues {
  readonly name: string;
  readonly text: string;
  readonly shared: boolean;
  /** Whether the printable sheet is created after the snapshot is saved. */
  readonly createsSheet: boolean;
}

/** The snapshots of a tour, with the draft. */
@injectable()
export class SnapshotStore extends ItemStore<SnapshotContext, Snapshot> {
  readonly list: SnapshotList;
  snapshotDraft: SnapshotDraft | undefined;
  searchText = '';
  /** Uid of the snapshot whose printable sheet is created as soon as its card is on screen. */
  requestedSheet: string | undefined;
  readonly #camera: SnapshotCamera;
  readonly #measureStore: MeasureStore;
  readonly #annotationStore: AnnotationStore;
  readonly #i18n: I18n;
  readonly #navigation: Navigation;
  readonly #sites: Sites;

  constructor(
    @inject(HttpClient) http: HttpClient,
    @inject(BrowserStorage) storage: BrowserStorage,
    @inject(Session) session: Session,
    @inject(SnapshotImageStore) imageStore: SnapshotImageStore,
    @inject(SnapshotCamera) camera: SnapshotCamera,
    @inject(MeasureStore) measureStore: MeasureStore,
    @inject(AnnotationStore) annotationStore: AnnotationStore,
    @inject(I18n) i18n: I18n,
    @inject(Navigation) navigation: Navigation,
    @inject(Sites) sites: Sites,
    @inject(ServerEvents) events: ServerEvents,
    @inject(Locations) locations: Locations,
  ) {
    super({ layer: snapshotLayer, panel: 'annotate.snapshots', missingMessage: 'annotate.missing.snapshot' });
    this.list = new SnapshotList(
      { http, storage, events, locations, getAuthor: () => toItemAuthor(session.me) },
      imageStore,
    );
    this.#camera = camera;
    this.#measureStore = measureStore;
    this.#annotationStore = annotationStore;
    this.#i18n = i18n;
    this.#navigation = navigation;
    this.#sites = sites;
    makeObservable(this, {
      snapshotDraft: observableRef,
      searchText: observableRef,
      requestedSheet: observableRef,
      consumeRequestedSheet: action,
      filteredItems: computed,
      take: action,
      discard: action,
      save: action,
      setSearchText: action,
    });
  }

  /** The snapshots whose name, text, tag or author matches the search. */
  get filteredItems(): readonly ListedSnapshot[] {
    return filterByText(this.list.all, this.searchText, ({ name, text, tagNumber, author }) => [
      name,
      text,
      tagNumber ?? '',
      author,
    ]);
  }

  setSearchText(searchText: string): void {
    this.searchText = searchText;
  }

  /** Takes a snapshot of the screen. Does nothing if no surface can be captured. */
  take(): void {
    const { context } = this;
    const { opened, currentNode, selectedTag } = context?.tourStore ?? {};
    const surfaces = context?.surfaces.all ?? [];
    if (!context || !opened || surfaces.length === 0) return;
    this.discard();
    this.snapshotDraft = new SnapshotDraft(this.#camera, surfaces, (surface) => this.#findMarks(surface), {
      view: formatView(context),
      node: currentNode?.uid ?? null,
      location: currentNode?.location ?? opened.tour.location,
      tour: opened.tour.uid,
      tag: selectedTag?.details?.uid ?? null,
    });
  }

  discard(): void {
    this.snapshotDraft?.dispose();
    this.snapshotDraft = undefined;
  }

  /** Saves the draft. Does nothing before its picture is ready. */
  save({ name, text, shared, createsSheet }: SnapshotFormValues): void {
    const { snapshotDraft, context } = this;
    if (!context || !snapshotDraft?.preview || name.trim() === '') return;
    const { picture, thumbnail } = snapshotDraft.preview;
    const { location, ...origin } = snapshotDraft.origin;
    const uid = crypto.randomUUID();
    const { marks } = snapshotDraft;
    this.discard();
    if (createsSheet) {
      this.requestedSheet = uid;
      this.setSearchText('');
    }
    if (createsSheet || context.isWide()) this.setPanelOpen(true);
    void this.list.add(
      uid,
      location,
      { ...origin, name: name.trim(), text: text.trim(), marks: marks.slice(0, maxMarks), shared, version: 0 },
      { picture, thumbnail },
    );
  }

  /** Returns true once if the sheet of a snapshot was requested. */
  consumeRequestedSheet(uid: string): boolean {
    if (this.requestedSheet !== uid) return false;
    this.requestedSheet = undefined;
    return true;
  }

  /** Opens the URL of the view, because only a URL can restore both halves of a split view. */
  override goTo(snapshot: Snapshot): void {
    if (this.context) this.#navigation.goToUrl(formatTourPath(this.context, this.formatQuery(snapshot)));
  }

  #findMarks(surface: ViewSurface): SurfaceMarks {
    const style = { language: this.#i18n.language, unit: this.#measureStore.unit };
    const t = (id: string, values: Readonly<Record<string, string | number>>): string => this.#i18n.text(id, values);
    const drawnItems = findDrawnItems(surface.host);
    return new Map([
      ...this.#measureStore.filteredItems
        .filter(({ uid }) => drawnItems.has(uid))
        .map(
          (measurement) =>
            [
              measurement.uid,
              {
                name: measurement.name,
                words: formatMark(measurement, this.#sites.recordAt(measurement.location), style, t),
              },
            ] as const,
        ),
      ...this.#annotationStore.filteredItems
        .filter(({ uid }) => drawnItems.has(uid))
        .map(
          (annotation) =>
            [
              annotation.uid,
              {
                name: annotation.name,
                words: [
                  [formatAnnotation(annotation, style), annotation.text].filter((part) => part !== '').join(' · '),
                  annotation.kind === 'CORDINATES'
                    ? formatDatum(this.#sites.recordAt(annotation.location), style, t)
                    : '',
                ]
                  .filter((line) => line !== '')
                  .join('\n'),
              },
            ] as const,
        ),
    ]);
  }
}

/** The server accepts at most this number of marks. */
const maxMarks = 200;

/** Formats the view with both halves, without the layer of the selected snapshot. */
function formatView({ tourStore, tourTools }: ToolContext): string | null {
  const view = captureView(tourStore, tourTools);
  if (!view) return null;
  const { layers = {}, ...viewWithoutLayers } = view;
  const { [snapshotLayer]: _, ...otherLayers } = layers;
  return encodeViewState({
    ...viewWithoutLayers,
    ...(Object.keys(otherLayers).length === 0 ? {} : { layers: otherLayers }),
  });
}
