import { inject, injectable } from 'inversify';
import { HttpClient, Resource } from '#core/web';
import type { listLocationPictures, LocationPictures } from '#plugins/locations/api';

/** The images by location, which are loaded once. */
@injectable()
export class LocationPicturesStore {
  readonly #pictures: Resource<ReadonlyMap<string, LocationPictures>>;

  constructor(@inject(HttpClient) http: HttpClient) {
    this.#pictures = new Resource(async () => {
      const pictures = await http.call<typeof listLocationPictures>('GET', '/api/location-pictures', {});
      return new Map(pictures.map((entry) => [entry.location, entry]));
    });
  }

  async load(): Promise<void> {
    if (this.#pictures.state !== 'ready') await this.#pictures.loadShared();
  }

  /** Whether the images could not be loaded. */
  get failed(): boolean {
    return this.#pictures.state === 'failed';
  }

  find(location: string): LocationPictures | undefined {
    return this.#pictures.value?.get(location);
  }
}
