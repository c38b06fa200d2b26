import { inject, injectable } from 'inversify';
import { makeObservable, observableRef, runInAction } from 'mobx';
import { HttpClient, Resource } from '#core/web';
import type { listLocationPictures, LocationPictures } from '#plugins/locations/api';

/** The images by location. Each screen reloads them, and shows the previous images during the load. */
@injectable()
export class LocationPicturesStore {
  /** Whether the images could not be loaded. It stays true during a retry. */
  failed = false;
  readonly #pictures: Resource<ReadonlyMap<string, LocationPictures>>;

  constructor(@inject(HttpClient) http: HttpClient) {
    this.#pictures = new Resource(async () => {
      const pictures = await http.call<typeof listLocationPictures>('GET', '/api/location-pictures', {});
      return new Map(pictures.map((entry) => [entry.location, entry]));
    });
    makeObservable(this, { failed: observableRef });
  }

  async load(): Promise<void> {
    await this.#pictures.loadShared();
    runInAction(() => (this.failed = this.#pictures.state === 'failed'));
  }

  get retrying(): boolean {
    return this.failed && this.#pictures.running;
  }

  find(location: string): LocationPictures | undefined {
    return this.#pictures.value?.get(location);
  }
}
