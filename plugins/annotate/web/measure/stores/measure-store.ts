import { inject, injectable } from 'inversify';
import { action, computed, makeObservable, observableRef } from 'mobx';
import { lengthUnits, type LengthUnit } from '#core';
import { BrowserStorage, HttpClient, Locations, ServerEvents, Session } from '#core/web';
import type { Measurement, StoredPoint } from '#plugins/annotate';
import { getAim } from '../../viewer/get-aim.ts';
import { whereMade, type ToolPlace } from '../../viewer/tool-place.ts';
import { filterByText, ItemStore } from '../../stores/item-store.ts';
import { toWriter } from '../../stores/writer.ts';
import { Measuring, type Measured } from './measuring.ts';
import { MeasurementList, type ListedMeasurement } from './measurement-list.ts';

export interface MeasurePlace extends ToolPlace {
  /** Default name of a new measurement, such as `Distance 3`. */
  readonly getName: (kind: Measured['kind'], number: number) => string;
}

/** Measurements of a tour: the current one, the saved ones and the unit. Observable. */
@injectable()
export class MeasureStore extends ItemStore<MeasurePlace, Measurement> {
  readonly measuring = new Measuring();
  readonly list: MeasurementList;
  words = '';
  /** Chosen here and not yet confirmed by the server. */
  wantedUnit: LengthUnit | undefined;
  readonly #session: Session;

  constructor(
    @inject(HttpClient) http: HttpClient,
    @inject(BrowserStorage) storage: BrowserStorage,
    @inject(Session) session: Session,
    @inject(ServerEvents) events: ServerEvents,
    @inject(Locations) locations: Locations,
  ) {
    super({ layer: 'measurement', panel: 'annotate.measurements' });
    this.#session = session;
    this.list = new MeasurementList({ http, storage, events, locations, me: () => toWriter(session.me) });
    makeObservable(this, {
      words: observableRef,
      shown: computed,
      setWords: action,
      wantedUnit: observableRef,
      unit: computed,
      setUnit: action,
    });
    this.measuring.connect({
      targets: () => this.#targets(),
      eye: () => this.place?.tools.position,
      aim: () => this.place && getAim(this.place),
      onMeasured: (measured) => this.#save(measured),
    });
  }

  get unit(): LengthUnit {
    const preferred = this.wantedUnit ?? this.#session.me?.preferences.lengthUnit;
    return lengthUnits.find((unit) => unit === preferred) ?? 'm';
  }

  /** Saved with the person's preferences. */
  setUnit(unit: LengthUnit): void {
    this.wantedUnit = unit;
    const preferences = this.#session.me?.preferences;
    // If saving fails, the unit applies until the page is closed.
    if (preferences) void this.#session.savePreferences({ ...preferences, lengthUnit: unit }).catch(() => undefined);
  }

  setWords(words: string): void {
    this.words = words;
  }

  /** The measurements whose name or author matches the search, for the list and the overlay. */
  get shown(): readonly ListedMeasurement[] {
    return filterByText(this.list.all, this.words, ({ name, author }) => [name, author]);
  }

  #targets(): readonly StoredPoint[] {
    const tag = this.place?.store.selectedTag?.details?.position;
    return [
      ...(this.drawn ? this.shown : []).flatMap(({ points }) => points),
      ...(tag ? [{ point: tag, sigma: null, source: 'MODEL', edge: false } as const] : []),
    ];
  }

  #save({ kind, points, result, surface }: Measured): void {
    const place = this.place;
    const { opened, currentNode } = place?.store ?? {};
    if (!place || !opened) return;
    const uid = crypto.randomUUID();
    const number = this.list.all.filter((each) => each.kind === kind).length + 1;
    this.select(uid);
    void this.list.save(uid, currentNode?.location ?? opened.tour.location, {
      kind,
      points: [...points],
      result,
      name: place.getName(kind, number),
      unit: this.unit,
      tour: opened.tour.uid,
      node: currentNode?.uid ?? null,
      view: whereMade(place, surface.module),
      shared: false,
      version: 0,
    });
  }
}
