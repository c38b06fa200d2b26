import type { Configuration, getConfiguration } from '#core/api';
import type { ResourceState } from '../resource/resource-state.ts';
import { Resource } from '../resource/resource.ts';
import { logError } from '../kernel/log.ts';
import type { HttpClient, ProductConfiguration } from '../kernel/services.ts';

const emptyConfiguration: Configuration = {};

/** The configuration for signed-in screens, loaded once and shared by all callers. */
export class ProductConfigurationService implements ProductConfiguration {
  readonly #configuration: Resource<Configuration>;

  constructor(http: HttpClient) {
    this.#configuration = new Resource(async () => {
      try {
        return await http.call<typeof getConfiguration>('GET', '/api/configuration', {});
      } catch (cause) {
        logError("The product's configuration could not be loaded.", cause);
        throw cause;
      }
    });
  }

  get state(): ResourceState {
    return this.#configuration.state;
  }

  get failure(): unknown {
    return this.#configuration.failure?.cause;
  }

  get value(): Configuration {
    return this.#configuration.value ?? emptyConfiguration;
  }

  load(): Promise<void> {
    return this.#configuration.loadShared();
  }
}
