import type { LocationNode, LocationOrder } from '#core';
import { buildLocationTree } from '../../common/location-tree.ts';
import type { listLocations } from '#core/api';
import { logError } from '../kernel/log.ts';
import type { HttpClient, Locations } from '../kernel/services.ts';
import type { ResourceState } from '../resource/resource-state.ts';
import { Resource } from '../resource/resource.ts';

interface LocationIndex {
  readonly roots: readonly LocationNode[];
  readonly byUid: ReadonlyMap<string, LocationNode>;
}

const noRoots: readonly LocationNode[] = [];

/** The location tree, loaded once and shared by all callers. */
export class LocationsService implements Locations {
  readonly #index: Resource<LocationIndex>;

  constructor(http: HttpClient, order: LocationOrder | undefined) {
    this.#index = new Resource(async () => {
      try {
        return buildIndex(await http.call<typeof listLocations>('GET', '/api/locations', {}), order);
      } catch (cause) {
        logError('The locations could not be loaded.', cause);
        throw cause;
      }
    });
  }

  get state(): ResourceState {
    return this.#index.state;
  }

  get failure(): unknown {
    return this.#index.failure?.cause;
  }

  get roots(): readonly LocationNode[] {
    return this.#index.value?.roots ?? noRoots;
  }

  load(): Promise<void> {
    return this.#index.loadShared();
  }

  reload(): Promise<void> {
    return this.#index.load();
  }

  find(uid: string): LocationNode | undefined {
    return this.#index.value?.byUid.get(uid);
  }

  pathTo(uid: string): readonly LocationNode[] {
    const path: LocationNode[] = [];
    for (
      let node = this.find(uid);
      node && !path.includes(node);
      node = node.parent === null ? undefined : this.find(node.parent)
    )
      path.unshift(node);
    return path;
  }
}

function buildIndex(rows: Parameters<typeof buildLocationTree>[0], order: LocationOrder | undefined): LocationIndex {
  const { roots, problems } = buildLocationTree(rows, order);
  for (const problem of problems) logError(`The list of locations has a problem: ${JSON.stringify(problem)}`);
  return { roots, byUid: new Map(listNodes(roots).map((node) => [node.uid, node])) };
}

function listNodes(roots: readonly LocationNode[]): readonly LocationNode[] {
  return roots.flatMap((node) => [node, ...listNodes(node.children)]);
}
