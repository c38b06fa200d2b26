import { inject, injectable } from 'inversify';
import { action, computed, makeObservable, observableRef } from 'mobx';
import { BrowserStorage, HttpClient, Locations, ServerEvents, Session } from '#core/web';
import type { Annotation, AnnotationKind, AnnotationStatus } from '#plugins/annotate';
import { getAim } from '../../viewer/get-aim.ts';
import { whereMade, type ToolPlace } from '../../viewer/tool-place.ts';
import { filterByText, ItemStore } from '../../stores/item-store.ts';
import { toWriter } from '../../stores/writer.ts';
import { AnnotationList, type ListedAnnotation } from './annotation-list.ts';
import { Placing } from './placing.ts';

/** The layer of the address that contains the uid of the selected annotation. */
export const annotationLayer = 'annotation';

export interface AnnotationPlace extends ToolPlace {
  /** Default name of a new one, such as `Arrow 3`. */
  readonly getName: (kind: AnnotationKind, number: number) => string;
}

export interface AnnotationFilter {
  readonly status: AnnotationStatus | 'ALL';
  readonly mine: boolean;
  /** Searched in name, text, author and comments. */
  readonly words: string;
}

/** The input of a person for a placed annotation. */
export interface AnnotationFormatters {
  readonly text: string;
  readonly temperature: number | null;
  readonly shared: boolean;
}

/** Annotations of a tour: the one being placed, the saved ones and the filter. Observable. */
@injectable()
export class AnnotationStore extends ItemStore<AnnotationPlace, Annotation> {
  readonly placing = new Placing(
    () => this.place?.tools.position ?? this.place?.store.currentNode?.position,
    () => this.place && getAim(this.place),
  );
  readonly list: AnnotationList;
  filter: AnnotationFilter = { status: 'ALL', mine: false, words: '' };

  constructor(
    @inject(HttpClient) http: HttpClient,
    @inject(BrowserStorage) storage: BrowserStorage,
    @inject(Session) session: Session,
    @inject(ServerEvents) events: ServerEvents,
    @inject(Locations) locations: Locations,
  ) {
    super({ layer: annotationLayer, panel: 'annotate.annotations' });
    this.list = new AnnotationList({ http, storage, events, locations, me: () => toWriter(session.me) });
    makeObservable(this, { filter: observableRef, shown: computed, setFilter: action });
  }

  /** The annotations that match the filter, for the list and the overlay. */
  get shown(): readonly ListedAnnotation[] {
    const { status, mine, words } = this.filter;
    const chosen = this.list.all.filter((each) => (status === 'ALL' || each.status === status) && (!mine || each.own));
    return filterByText(chosen, words, ({ name, text, author, comments }) => [
      name,
      text,
      author,
      ...comments.map((comment) => comment.text),
    ]);
  }

  setFilter(filter: Partial<AnnotationFilter>): void {
    this.filter = { ...this.filter, ...filter };
  }

  /** Saves the placed annotation, if there is one. */
  save({ text, temperature, shared }: AnnotationFormatters): void {
    const { place, placing } = this;
    const { opened, currentNode } = place?.store ?? {};
    const { placed } = placing;
    if (!place || !opened || !placed) return;
    const { kind, points, surface } = placed;
    const uid = crypto.randomUUID();
    const number = this.list.all.filter((each) => each.kind === kind).length + 1;
    placing.cancel();
    this.select(uid);
    void this.list.save(uid, currentNode?.location ?? opened.tour.location, {
      kind,
      name: place.getName(kind, number),
      text,
      temperature: kind === 'TEMPERATURE' ? temperature : null,
      status: 'OPEN',
      points: [...points],
      tour: opened.tour.uid,
      node: currentNode?.uid ?? null,
      view: whereMade(place, surface.module),
      shared,
      version: 0,
    });
  }
}
