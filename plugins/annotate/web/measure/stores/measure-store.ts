import { inject, injectable } from 'inversify';
import { action, computed, makeObservable, observableRef } from 'mobx';
import { lengthUnits, type LengthUnit } from '#core';
import { BrowserStorage, HttpClient, Locations, ServerEvents, Session } from '#core/web';
import type { Measurement, StoredPoint } from '#plugins/annotate';
import { captureCameraState } from '../../viewer/camera-state.ts';
import { formatCreationView, type ToolContext } from '../../viewer/tool-context.ts';
import { filterByText, ItemStore } from '../../stores/item-store.ts';
import { toItemAuthor } from '../../stores/item-author.ts';
import { MeasurementDraft, type CompletedMeasurement } from './measurement-draft.ts';
import { MeasurementList, type ListedMeasurement } from './measurement-list.ts';

export interface MeasureContext extends ToolContext {
  /** Returns the default name of a new measurement, such as `Distance 3`. */
  readonly getName: (kind: CompletedMeasurement['kind'], number: number) => string;
}

/** The measurements of a tour, with the current measurement and the unit. */
@injectable()
export class MeasureStore extends ItemStore<MeasureContext, Measurement> {
  readonly measurementDraft = new MeasurementDraft();
  readonly list: MeasurementList;
  searchText = '';
  /** The unit that the person chose on this page. The server may not have saved it. */
  requestedUnit: LengthUnit | undefined;
  readonly #session: Session;

  constructor(
    @inject(HttpClient) http: HttpClient,
    @inject(BrowserStorage) storage: BrowserStorage,
    @inject(Session) session: Session,
    @inject(ServerEvents) events: ServerEvents,
    @inject(Locations) locations: Locations,
  ) {
    super({ layer: 'measurement', panel: 'annotate.measurements', missingMessage: 'annotate.missing.measurement' });
    this.#session = session;
    this.list = new MeasurementList({ http, storage, events, locations, getAuthor: () => toItemAuthor(session.me) });
    makeObservable(this, {
      searchText: observableRef,
      filteredItems: computed,
      setSearchText: action,
      requestedUnit: observableRef,
      unit: computed,
      setUnit: action,
    });
    this.measurementDraft.connect({
      listSnapTargets: () => this.#getSnapTargets(),
      findEye: () => this.context?.tourTools.position,
      captureCameraState: () => this.context && captureCameraState(this.context),
      onCompleted: (measurement) => this.#save(measurement),
    });
  }

  get unit(): LengthUnit {
    const preferredUnit = this.requestedUnit ?? this.#session.me?.preferences.lengthUnit;
    return lengthUnits.find((unit) => unit === preferredUnit) ?? 'm';
  }

  /** Sets the unit and saves it with the person's preferences. */
  setUnit(unit: LengthUnit): void {
    this.requestedUnit = unit;
    const preferences = this.#session.me?.preferences;
    // If saving fails, the unit applies until the page is closed.
    if (preferences) void this.#session.savePreferences({ ...preferences, lengthUnit: unit }).catch(() => undefined);
  }

  setSearchText(searchText: string): void {
    this.searchText = searchText;
  }

  /** The measurements whose name or author matches the search, for the list and the overlay. */
  get filteredItems(): readonly ListedMeasurement[] {
    return filterByText(this.list.all, this.searchText, ({ name, author }) => [name, author]);
  }

  #getSnapTargets(): readonly StoredPoint[] {
    const tagPosition = this.context?.tourStore.selectedTag?.details?.position;
    return [
      ...(this.overlayVisible ? this.filteredItems : []).flatMap(({ points }) => points),
      ...(tagPosition ? [{ point: tagPosition, sigma: null, source: 'MODEL', edge: false } as const] : []),
    ];
  }

  #save({ kind, points, result, surface }: CompletedMeasurement): void {
    const context = this.context;
    const { opened, currentNode } = context?.tourStore ?? {};
    if (!context || !opened) return;
    const uid = crypto.randomUUID();
    const number = this.list.all.filter((measurement) => measurement.kind === kind).length + 1;
    this.select(uid);
    void this.list.save(uid, currentNode?.location ?? opened.tour.location, {
      kind,
      points: [...points],
      result,
      name: context.getName(kind, number),
      unit: this.unit,
      tour: opened.tour.uid,
      node: currentNode?.uid ?? null,
      view: formatCreationView(context, surface.module),
      shared: false,
      version: 0,
    });
  }
}
