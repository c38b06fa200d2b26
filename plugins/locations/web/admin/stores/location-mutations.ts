import type { SiteRecord } from '#core';
import type {
  updateLocation,
  createLocation,
  deleteLocation,
  findLocationUse,
  LocationSaved,
  LocationUse,
  moveLocation,
  NewLocation,
  saveSite,
} from '#core/api';
import { LastChangeStore, sendUndo } from '#core/ui-data';
import { ApiError, type HttpClient, type Locations } from '#core/web';
import type { Placement } from '../../../common/location-placement.ts';

/** HTTP statuses of refusals because a loaded location was changed, moved or deleted, or is no longer accessible. */
const outdatedStatuses: readonly number[] = [403, 404, 409];

export const changeKinds = [
  'created',
  'changed',
  'moved',
  'deleted',
  'site',
  'iconSaved',
  'iconRemoved',
  'imageSaved',
  'imageRemoved',
  'areas',
] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** A change that the person has made. */
export interface ReportedChange {
  /** Uid of the change on the server. */
  readonly uid: string;
  readonly kind: ChangeKind;
  /** Name of the location. */
  readonly name: string;
  /** Undoes the change on the server. Resolves to the uid of the new change. */
  readonly undo: (uid: string) => Promise<string>;
}

/** The location of a change, as its request and its message need it. */
export interface ChangedLocation {
  readonly uid: string;
  readonly name: string;
  readonly version?: number;
}

export interface LocationValues extends Pick<NewLocation, 'name' | 'label' | 'locationType'> {
  readonly version: number;
}

/** Changes locations, reloads them, and reports each change. Methods reject with `ApiError` if the server refuses. */
export class LocationMutations {
  readonly lastChange = new LastChangeStore();
  readonly #http: HttpClient;
  readonly #locations: Locations;

  constructor(http: HttpClient, locations: Locations) {
    this.#http = http;
    this.#locations = locations;
  }

  async create(location: NewLocation): Promise<void> {
    const call = this.#http.call<typeof createLocation>('POST', '/api/locations', { body: location });
    await this.#reportWhenDone(call, 'created', location);
  }

  async update({ uid }: ChangedLocation, values: LocationValues): Promise<void> {
    const call = this.#http.call<typeof updateLocation>('PUT', '/api/locations/:location', {
      params: { location: uid },
      body: values,
    });
    await this.#reportWhenDone(call, 'changed', values);
  }

  async move({ uid, name, version = 0 }: ChangedLocation, placement: Placement): Promise<void> {
    const call = this.#http.call<typeof moveLocation>('PUT', '/api/locations/:location/place', {
      params: { location: uid },
      body: { ...placement, version },
    });
    await this.#reportWhenDone(call, 'moved', { name });
  }

  async delete({ uid, name }: ChangedLocation): Promise<void> {
    const call = this.#http.call<typeof deleteLocation>('DELETE', '/api/locations/:location', {
      params: { location: uid },
    });
    await this.#reportWhenDone(call, 'deleted', { name });
  }

  /** `base` is the record that the person has changed. */
  async saveSite({ uid, name }: ChangedLocation, record: SiteRecord, base: SiteRecord): Promise<void> {
    const call = this.#http.call<typeof saveSite>('PUT', '/api/sites/:site', {
      params: { site: uid },
      body: { ...record, base },
    });
    await this.#reportWhenDone(call, 'site', { name });
  }

  /** Loads the content that would be deleted with a location, and the reasons that prevent the deletion. */
  async findUse(uid: string, signal: AbortSignal): Promise<LocationUse> {
    return this.#reloadIfOutdated(
      this.#http.call<typeof findLocationUse>(
        'GET',
        '/api/locations/:location/use',
        { params: { location: uid } },
        { signal },
      ),
    );
  }

  /** Shows a change as the last one, with a button that undoes it. */
  report({ uid, kind, name, undo }: ReportedChange): void {
    const texts = { done: `locations.sites.done.${kind}`, undone: `locations.sites.undone.${kind}` };
    this.lastChange.report({ uids: [uid], texts, values: { name }, undo });
  }

  /** Locations are reloaded before the change is reported, so that a screen can select a new location. */
  async #reportWhenDone(
    call: Promise<LocationSaved>,
    kind: ChangeKind,
    { name }: Pick<ChangedLocation, 'name'>,
  ): Promise<void> {
    const { change: changeUid } = await this.#reloadIfOutdated(call);
    await this.#locations.reload();
    if (changeUid !== null) this.report({ uid: changeUid, kind, name, undo: (uid) => this.#undo(uid) });
  }

  /** Reloads the locations after a refusal that shows that they are outdated. */
  async #reloadIfOutdated<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (cause) {
      if (cause instanceof ApiError && outdatedStatuses.includes(cause.status)) await this.#locations.reload();
      throw cause;
    }
  }

  async #undo(uid: string): Promise<string> {
    const undoUid = await this.#reloadIfOutdated(sendUndo(this.#http, uid));
    await this.#locations.reload();
    return undoUid;
  }
}
