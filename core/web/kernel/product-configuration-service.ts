import { makeObservable, observableRef, runInAction } from 'mobx';
import type { Configuration, getConfiguration } from '#core/api';
import { logError } from './log.ts';
import type { HttpClient, ProductConfiguration } from './services.ts';

/** The configuration that the signed-in screens show, loaded once for all who ask. */
export class ProductConfigurationService implements ProductConfiguration {
  state: ProductConfiguration['state'] = 'loading';
  failure: unknown;
  value: Configuration = {};
  readonly #http: HttpClient;
  #loading: Promise<void> | undefined;

  constructor(http: HttpClient) {
    this.#http = http;
    makeObservable(this, { state: observableRef, value: observableRef });
  }

  /** Loads anew where it is not loading already. Never rejects: `state` tells. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    runInAction(() => {
      if (this.state === 'failed') this.state = 'loading';
    });
    try {
      const value = await this.#http.call<typeof getConfiguration>('GET', '/api/configuration', {});
      runInAction(() => {
        this.value = value;
        this.state = 'loaded';
      });
    } catch (cause) {
      logError("The product's configuration could not be loaded.", cause);
      runInAction(() => {
        this.failure = cause;
        this.state = 'failed';
      });
    }
  }
}
