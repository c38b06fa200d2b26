import { inject, injectable } from 'inversify';
import { action, computed, makeObservable, observableRef } from 'mobx';
import { token } from '#core';
import { BrowserStorage, HttpClient, Locations, ServerEvents, Session } from '#core/web';
import type { Annotation, AnnotationKind, AnnotationStatus } from '#plugins/annotate';
import { aimOf } from '../../surface/aim-of.ts';
import { showView, viewWith, whereMade, type ToolPlace } from '../../surface/tool-place.ts';
import { writerOf } from '../../sync/writer.ts';
import { AnnotationList, type ListedAnnotation } from './annotation-list.ts';
import { Placing } from './placing.ts';

/** Of the view in the address: the uid of the annotation that stands out. */
export const annotationLayer = 'annotation';

export interface AnnotationPlace extends ToolPlace {
  /** A name for a new one, such as `Arrow 3`. */
  readonly nameOf: (kind: AnnotationKind, number: number) => string;
}

/** The list's name among the panels of the tour. */
export const annotationPanel = 'annotate.annotations';

export interface AnnotationFilter {
  readonly status: AnnotationStatus | 'ALL';
  readonly mine: boolean;
  /** In name, text, author or a comment. */
  readonly words: string;
}

/** What a person says about what they placed. */
export interface AnnotationWords {
  readonly text: string;
  readonly temperature: number | null;
  readonly shared: boolean;
}

/** Annotations in a tour: what is being placed, what was, and which of them show. Observable. */
export const AnnotationStore = token<AnnotationStore>('annotate.AnnotationStore');
export interface AnnotationStore {
  readonly placing: Placing;
  readonly list: AnnotationList;
  readonly filter: AnnotationFilter;
  setFilter(filter: Partial<AnnotationFilter>): void;
  /** Whether they are drawn over the picture. */
  readonly drawn: boolean;
  setDrawn(drawn: boolean): void;
  /** What the filter leaves: the list, and what stands over the picture. */
  readonly shown: readonly ListedAnnotation[];
  readonly panelShown: boolean;
  setPanelShown(shown: boolean): void;
  /** Uid of the annotation that stands out; kept in the address. */
  readonly selected: string | undefined;
  select(uid: string | undefined): void;
  connect(place: AnnotationPlace): void;
  /** Keeps what is placed. Does nothing where nothing is. */
  save(words: AnnotationWords): void;
  /** Looks at it as who made it did. */
  goTo(annotation: Annotation): void;
  /** The query of an address that opens the tour there. */
  queryOf(annotation: Annotation): string;
}

@injectable()
export class MobxAnnotationStore implements AnnotationStore {
  readonly placing = new Placing(
    () => this.place?.tools.position ?? this.place?.store.currentNode?.position,
    () => this.place && aimOf(this.place),
  );
  readonly list: AnnotationList;
  filter: AnnotationFilter = { status: 'ALL', mine: false, words: '' };
  drawn = true;
  place: AnnotationPlace | undefined;

  constructor(
    @inject(HttpClient) http: HttpClient,
    @inject(BrowserStorage) storage: BrowserStorage,
    @inject(Session) session: Session,
    @inject(ServerEvents) events: ServerEvents,
    @inject(Locations) locations: Locations,
  ) {
    this.list = new AnnotationList({ http, storage, events, locations, me: () => writerOf(session.me) });
    makeObservable(this, {
      panelShown: computed,
      filter: observableRef,
      place: observableRef,
      shown: computed,
      selected: computed,
      setFilter: action,
      drawn: observableRef,
      setDrawn: action,
      connect: action,
    });
  }

  get selected(): string | undefined {
    return this.place?.store.layers[annotationLayer];
  }

  get shown(): readonly ListedAnnotation[] {
    const { status, mine, words } = this.filter;
    const sought = words.trim().toLowerCase();
    return this.list.all.filter(
      (each) =>
        (status === 'ALL' || each.status === status) &&
        (!mine || each.own) &&
        (sought === '' ||
          [each.name, each.text, each.author, ...each.comments.map(({ text }) => text)].some((text) =>
            text.toLowerCase().includes(sought),
          )),
    );
  }

  setFilter(filter: Partial<AnnotationFilter>): void {
    this.filter = { ...this.filter, ...filter };
  }

  setDrawn(drawn: boolean): void {
    this.drawn = drawn;
  }

  get panelShown(): boolean {
    return this.place?.store.panel === annotationPanel;
  }

  setPanelShown(shown: boolean): void {
    this.place?.store.setPanel(shown ? annotationPanel : undefined);
  }

  select(uid: string | undefined): void {
    this.place?.store.setLayer(annotationLayer, uid);
  }

  connect(place: AnnotationPlace): void {
    this.place = place;
  }

  save({ text, temperature, shared }: AnnotationWords): void {
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
      name: place.nameOf(kind, number),
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

  goTo(annotation: Annotation): void {
    this.select(annotation.uid);
    if (this.place) showView(this.place, annotation.view);
  }

  queryOf({ uid, view }: Annotation): string {
    return viewWith(view, { [annotationLayer]: uid });
  }
}
