import { readConflict, sendUndo } from '#core/ui-data';
import { Resource, sendFiles, type HttpClient } from '#core/web';
import type { LocationPictures, NavigationArea, PicturesSaved, PictureKind } from '#plugins/locations';
import type { listLocationPictures, deleteLocationPicture, saveNavigationAreas } from '#plugins/locations/api';
import type { ChangedLocation, ChangeKind, LocationMutations } from './location-mutations.ts';

/** A location whose pictures change, with the version that the change is based on. */
export interface PictureTarget extends Pick<ChangedLocation, 'uid' | 'name'> {
  readonly version: number;
}

export interface UploadOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

const savedKinds = { icon: 'iconSaved', navigationImage: 'imageSaved' } as const;
const noPictures = { icon: null, navigationImage: null, areas: [], version: 0 };
const removedKinds = { icon: 'iconRemoved', navigationImage: 'imageRemoved' } as const;

/**
 * Loads and changes pictures and areas, and reports each change so that it can be undone. All methods reject with
 * `ApiError`; after a conflict the store has the current pictures.
 */
export class PictureMutations {
  readonly resource: Resource<ReadonlyMap<string, LocationPictures>>;
  readonly #http: HttpClient;
  readonly #mutations: LocationMutations;

  constructor(http: HttpClient, mutations: LocationMutations) {
    this.#http = http;
    this.#mutations = mutations;
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
    const url = `/api/location-pictures/${encodeURIComponent(uid)}/images/${kind}`;
    const call = sendFiles<PicturesSaved>(this.#http, url, [file], {
      ...options,
      query: { version: String(version) },
    });
    await this.#reportWhenDone(call, savedKinds[kind], target);
  }

  async delete(target: PictureTarget, kind: PictureKind): Promise<void> {
    const { uid, version } = target;
    const call = this.#http.call<typeof deleteLocationPicture>(
      'DELETE',
      '/api/location-pictures/:location/images/:kind',
      { params: { location: uid, kind }, query: { version } },
    );
    await this.#reportWhenDone(call, removedKinds[kind], target);
  }

  async saveAreas(target: PictureTarget, areas: readonly NavigationArea[]): Promise<void> {
    const { uid, version } = target;
    const call = this.#http.call<typeof saveNavigationAreas>('PUT', '/api/location-pictures/:location/areas', {
      params: { location: uid },
      body: { areas: [...areas], version },
    });
    await this.#reportWhenDone(call, 'areas', target);
  }

  async #reportWhenDone(call: Promise<PicturesSaved>, kind: ChangeKind, { name }: PictureTarget): Promise<void> {
    try {
      const { change, pictures } = await call;
      this.#storePictures(pictures);
      if (change !== null) this.#mutations.report({ uid: change, kind, name, undo: (uid) => this.#undo(uid) });
    } catch (cause) {
      const current = readPictureConflict(cause);
      if (current) this.#storePictures(current);
      throw cause;
    }
  }

  async #undo(uid: string): Promise<string> {
    const undoUid = await sendUndo(this.#http, uid);
    await this.resource.load();
    return undoUid;
  }

  #storePictures(pictures: LocationPictures): void {
    this.resource.update((picturesByLocation) => new Map(picturesByLocation).set(pictures.location, pictures));
  }
}

/** Returns the current pictures of a 409, if another person has changed them. */
export const readPictureConflict = (failure: unknown): LocationPictures | undefined => readConflict(failure);
