import type { undoChange } from '#core/api';
import { readConflict } from '#core/ui-data';
import { Resource, sendFiles, type HttpClient } from '#core/web';
import type { LocationPictures, NavigationArea, PicturesSaved, PictureKind } from '#plugins/locations';
import type { listLocationPictures, removeLocationPicture, saveNavigationAreas } from '#plugins/locations/api';
import type { ChangedLocation, ChangeKind, LocationChangesStore } from './location-changes-store.ts';

/** A location whose pictures change, with the version that the change is based on. */
export interface PictureTarget extends Pick<ChangedLocation, 'uid' | 'name'> {
  readonly version: number;
}

export interface UploadOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

const saved = { icon: 'iconSaved', navigationImage: 'imageSaved' } as const;
const noPictures = { icon: null, navigationImage: null, areas: [], version: 0 };
const removed = { icon: 'iconRemoved', navigationImage: 'imageRemoved' } as const;

/**
 * Loads and changes pictures and areas, and reports each change so that it can be undone. All methods reject with
 * `ApiError`; after a conflict the store has the present pictures.
 */
export class PictureChanges {
  readonly resource: Resource<ReadonlyMap<string, LocationPictures>>;
  readonly #http: HttpClient;
  readonly #changes: LocationChangesStore;

  constructor(http: HttpClient, changes: LocationChangesStore) {
    this.#http = http;
    this.#changes = changes;
    this.resource = new Resource(async (signal) => {
      const pictures = await http.call<typeof listLocationPictures>('GET', '/api/location-pictures', {}, { signal });
      return new Map(pictures.map((entry) => [entry.location, entry]));
    });
  }

  find(location: string): LocationPictures {
    return this.resource.value?.get(location) ?? { ...noPictures, location };
  }

  async save(target: PictureTarget, kind: PictureKind, file: File, options: UploadOptions): Promise<void> {
    const { uid, version } = target;
    const address = `/api/location-pictures/${encodeURIComponent(uid)}/images/${kind}`;
    const call = sendFiles<PicturesSaved>(this.#http, address, [file], {
      ...options,
      query: { version: String(version) },
    });
    await this.#finish(call, saved[kind], target);
  }

  async remove(target: PictureTarget, kind: PictureKind): Promise<void> {
    const { uid, version } = target;
    const call = this.#http.call<typeof removeLocationPicture>(
      'DELETE',
      '/api/location-pictures/:location/images/:kind',
      { params: { location: uid, kind }, query: { version } },
    );
    await this.#finish(call, removed[kind], target);
  }

  async saveAreas(target: PictureTarget, areas: readonly NavigationArea[]): Promise<void> {
    const { uid, version } = target;
    const call = this.#http.call<typeof saveNavigationAreas>('PUT', '/api/location-pictures/:location/areas', {
      params: { location: uid },
      body: { areas: [...areas], version },
    });
    await this.#finish(call, 'areas', target);
  }

  async #finish(call: Promise<PicturesSaved>, kind: ChangeKind, { name }: PictureTarget): Promise<void> {
    try {
      const { change, pictures } = await call;
      this.#show(pictures);
      if (change !== null) this.#changes.report({ uid: change, kind, name, undo: (uid) => this.#undo(uid) });
    } catch (cause) {
      const current = readPictureConflict(cause);
      if (current) this.#show(current);
      throw cause;
    }
  }

  async #undo(uid: string): Promise<string> {
    const { change } = await this.#http.call<typeof undoChange>('POST', '/api/changes/:change/undo', {
      params: { change: uid },
      body: {},
    });
    await this.resource.load();
    return change ?? uid;
  }

  #show(pictures: LocationPictures): void {
    this.resource.update((known) => new Map(known).set(pictures.location, pictures));
  }
}

/** The present pictures of a 409, if they were changed meanwhile. */
export const readPictureConflict = (failure: unknown): LocationPictures | undefined => readConflict(failure);
