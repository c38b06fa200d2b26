import { inject, injectable } from 'inversify';
import { action, computed, makeObservable, observableRef } from 'mobx';
import { BrowserStorage, HttpClient, Locations, ServerEvents, Session } from '#core/web';
import type { Annotation, AnnotationKind, AnnotationStatus } from '#plugins/annotate';
import { captureCameraState } from '../../viewer/camera-state.ts';
import { formatCreationView, type ToolContext } from '../../viewer/tool-context.ts';
import { filterByText, ItemStore } from '../../stores/item-store.ts';
import { toItemAuthor } from '../../stores/item-author.ts';
import { AnnotationList, type ListedAnnotation } from './annotation-list.ts';
import { AnnotationDraft } from './annotation-draft.ts';

/** The view layer whose URL parameter contains the uid of the selected annotation. */
export const annotationLayer = 'annotation';

export interface AnnotationContext extends ToolContext {
  /** Returns the default name of a new annotation, such as `Arrow 3`. */
  readonly getName: (kind: AnnotationKind, number: number) => string;
}

export interface AnnotationFilter {
  readonly status: AnnotationStatus | 'ALL';
  readonly onlyOwn: boolean;
  /** Text to find in name, text, author and comments. */
  readonly searchText: string;
}

/** The values that a person enters for a placed annotation. */
export interface AnnotationFormValues {
  readonly text: string;
  readonly temperature: number | null;
  readonly shared: boolean;
}

/** The annotations of a tour, with the draft and the filter. */
@injectable()
export class AnnotationStore extends ItemStore<AnnotationContext, Annotation> {
  readonly annotationDraft = new AnnotationDraft(
    () => this.context?.tourTools.position ?? this.context?.tourStore.currentNode?.position,
    () => this.context && captureCameraState(this.context),
  );
  readonly list: AnnotationList;
  filter: AnnotationFilter = { status: 'ALL', onlyOwn: false, searchText: '' };

  constructor(
    @inject(HttpClient) http: HttpClient,
    @inject(BrowserStorage) storage: BrowserStorage,
    @inject(Session) session: Session,
    @inject(ServerEvents) events: ServerEvents,
    @inject(Locations) locations: Locations,
  ) {
    super({ layer: annotationLayer, panel: 'annotate.annotations', missingMessage: 'annotate.missing.annotation' });
    this.list = new AnnotationList({ http, storage, events, locations, getAuthor: () => toItemAuthor(session.me) });
    makeObservable(this, { filter: observableRef, filteredItems: computed, setFilter: action });
  }

  /** The annotations that match the filter, for the list and the overlay. */
  get filteredItems(): readonly ListedAnnotation[] {
    const { status, onlyOwn, searchText } = this.filter;
    const matching = this.list.all.filter(
      (annotation) => (status === 'ALL' || annotation.status === status) && (!onlyOwn || annotation.own),
    );
    return filterByText(matching, searchText, ({ name, text, author, comments }) => [
      name,
      text,
      author,
      ...comments.map((comment) => comment.text),
    ]);
  }

  setFilter(filter: Partial<AnnotationFilter>): void {
    this.filter = { ...this.filter, ...filter };
  }

  /** Saves the placed annotation if there is one. */
  save({ text, temperature, shared }: AnnotationFormValues): void {
    const { context, annotationDraft } = this;
    const { opened, currentNode } = context?.tourStore ?? {};
    const { placedAnnotation } = annotationDraft;
    if (!context || !opened || !placedAnnotation) return;
    const { kind, points, surface } = placedAnnotation;
    const uid = crypto.randomUUID();
    const number = this.list.all.filter((annotation) => annotation.kind === kind).length + 1;
    annotationDraft.cancel();
    this.select(uid);
    void this.list.save(uid, currentNode?.location ?? opened.tour.location, {
      kind,
      name: context.getName(kind, number),
      text,
      temperature: kind === 'TEMPERATURE' ? temperature : null,
      status: 'OPEN',
      points: [...points],
      tour: opened.tour.uid,
      node: currentNode?.uid ?? null,
      view: formatCreationView(context, surface.module),
      shared,
      version: 0,
    });
  }
}
