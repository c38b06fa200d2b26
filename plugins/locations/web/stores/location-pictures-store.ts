import { inject, injectable } from 'inversify';
import { HttpClient, Resource } from '#core/web';
import type { listLocationPictures, LocationPictures } from '#plugins/locations/api';

/** The images by location, which are loaded once. Screens show initials instead if the request fails. */
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

  find(location: string): LocationPictures | undefined {
    return this.#pictures.value?.get(location);
  }
}
