import { inject, injectable } from 'inversify';
import { makeObservable, observableRef, runInAction } from 'mobx';
import { token } from '#core';
import { HttpClient } from '#core/web';
import type { listLocationPictures, LocationPictures } from '#plugins/locations/api';

/**
 * Pictures by location, fetched once. Without them the screens show initials: a failure is no reason to keep anybody
 * from going anywhere.
 */
export const LocationPicturesStore = token<LocationPicturesStore>('locations.LocationPicturesStore');
export interface LocationPicturesStore {
  readonly state: 'loading' | 'loaded' | 'failed';
  load(): Promise<void>;
  of(location: string): LocationPictures | undefined;
}

@injectable()
export class HttpLocationPicturesStore implements LocationPicturesStore {
  state: LocationPicturesStore['state'] = 'loading';
  #byLocation: ReadonlyMap<string, LocationPictures> = new Map();
  readonly #http: HttpClient;

  constructor(@inject(HttpClient) http: HttpClient) {
    this.#http = http;
    makeObservable(this, { state: observableRef });
  }

  async load(): Promise<void> {
    if (this.state === 'loaded') return;
    try {
      const pictures = await this.#http.call<typeof listLocationPictures>('GET', '/api/location-pictures', {});
      runInAction(() => {
        this.#byLocation = new Map(pictures.map((entry) => [entry.location, entry]));
        this.state = 'loaded';
      });
    } catch {
      runInAction(() => {
        this.state = 'failed';
      });
    }
  }

  of(location: string): LocationPictures | undefined {
    return this.state === 'loaded' ? this.#byLocation.get(location) : undefined;
  }
}
