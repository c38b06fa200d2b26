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
import { formatTourAddress, type ToolContext } from '../../viewer/tool-context.ts';
import { filterByText, ItemStore } from '../../stores/item-store.ts';
import { toItemAuthor } from '../../stores/item-author.ts';
import { findDrawnItems } from '../viewer/find-drawn-items.ts';
import { SnapshotCamera } from '../viewer/snapshot-camera.ts';
import { SnapshotImageStore } from './snapshot-image-store.ts';
import { SnapshotList, type ListedSnapshot } from './snapshot-list.ts';
import { SnapshotDraft, type SurfaceMarks } from './snapshot-draft.ts';

/** The layer of the address that contains the uid of the selected snapshot. */
const snapshotLayer = 'snapshot';
export interface SnapshotContext extends ToolContext {
  readonly surfaces: ViewSurfaces;
  /** Whether the window is wide enough for the list to open by itself. */
  readonly isWide: () => boolean;
}

/** The input of a person for a snapshot. */
export interface SnapshotFormValues {
  readonly name: string;
  readonly text: string;
  readonly shared: boolean;
  /** Whether the printable sheet is created after the snapshot is saved. */
  readonly opensSheet: boolean;
}

/** The snapshots of a tour, with the draft. */
@injectable()
export class SnapshotStore extends ItemStore<SnapshotContext, Snapshot> {
  readonly list: SnapshotList;
  snapshotDraft: SnapshotDraft | undefined;
  searchText = '';
  /** uid of the snapshot whose printable sheet is created as soon as its card is on screen. */
  requestedSheet: string | undefined;
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
    @inject(SnapshotImageStore) imageStore: SnapshotImageStore,
    @inject(SnapshotCamera) camera: SnapshotCamera,
    @inject(MeasureStore) measurements: MeasureStore,
    @inject(AnnotationStore) annotations: AnnotationStore,
    @inject(I18n) i18n: I18n,
    @inject(Navigation) navigation: Navigation,
    @inject(Sites) sites: Sites,
    @inject(ServerEvents) events: ServerEvents,
    @inject(Locations) locations: Locations,
  ) {
    super({ layer: snapshotLayer, panel: 'annotate.snapshots', missing: 'annotate.missing.snapshot' });
    this.list = new SnapshotList({ http, storage, events, locations, me: () => toItemAuthor(session.me) }, imageStore);
    this.#camera = camera;
    this.#measurements = measurements;
    this.#annotations = annotations;
    this.#i18n = i18n;
    this.#navigation = navigation;
    this.#sites = sites;
    makeObservable(this, {
      snapshotDraft: observableRef,
      searchText: observableRef,
      requestedSheet: observableRef,
      takeRequestedSheet: action,
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
    const { opened, currentNode, selectedTag } = context?.store ?? {};
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
  save({ name, text, shared, opensSheet }: SnapshotFormValues): void {
    const { snapshotDraft, context } = this;
    if (!context || !snapshotDraft?.preview || name.trim() === '') return;
    const { picture, thumbnail } = snapshotDraft.preview;
    const { location, ...origin } = snapshotDraft.origin;
    const uid = crypto.randomUUID();
    const { marks } = snapshotDraft;
    this.discard();
    if (opensSheet) {
      this.requestedSheet = uid;
      this.setSearchText('');
    }
    if (opensSheet || context.isWide()) this.setPanelOpen(true);
    void this.list.add(
      uid,
      location,
      { ...origin, name: name.trim(), text: text.trim(), marks: marks.slice(0, maxMarks), shared, version: 0 },
      { picture, thumbnail },
    );
  }

  /** Returns true once if the sheet of a snapshot was requested. */
  takeRequestedSheet(uid: string): boolean {
    if (this.requestedSheet !== uid) return false;
    this.requestedSheet = undefined;
    return true;
  }

  /** Opens the address of the view, because only an address can restore both halves of a split view. */
  override goTo(snapshot: Snapshot): void {
    if (this.context) this.#navigation.goToUrl(formatTourAddress(this.context, this.formatQuery(snapshot)));
  }

  #findMarks(surface: ViewSurface): SurfaceMarks {
    const style = { language: this.#i18n.language, unit: this.#measurements.unit };
    const t = (id: string, values: Readonly<Record<string, string | number>>): string => this.#i18n.text(id, values);
    const drawnItems = findDrawnItems(surface.host);
    return new Map([
      ...this.#measurements.filteredItems
        .filter(({ uid }) => drawnItems.has(uid))
        .map(
          (each) =>
            [
              each.uid,
              { name: each.name, words: formatMark(each, this.#sites.recordAt(each.location), style, t) },
            ] as const,
        ),
      ...this.#annotations.filteredItems
        .filter(({ uid }) => drawnItems.has(uid))
        .map(
          (each) =>
            [
              each.uid,
              {
                name: each.name,
                words: [
                  [formatAnnotation(each, style), each.text].filter((part) => part !== '').join(' · '),
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

/** The server accepts at most this number. */
const maxMarks = 200;

/** Formats the view with both halves, without the layer of the selected snapshot. */
function formatView({ store, tools }: ToolContext): string | null {
  const view = captureView(store, tools);
  if (!view) return null;
  const { layers = {}, ...rest } = view;
  const { [snapshotLayer]: _, ...others } = layers;
  return encodeViewState({ ...rest, ...(Object.keys(others).length === 0 ? {} : { layers: others }) });
}
