import { makeObservable, observableRef, runInAction } from 'mobx';
import { buildLocationTree, type LocationNode, type LocationOrder } from '#core';
import type { listLocations } from '#core/api';
import { logError } from '../kernel/log.ts';
import type { HttpClient, Locations } from '../kernel/services.ts';

/** The location tree, loaded once for all who ask. */
export class LocationsService implements Locations {
  state: Locations['state'] = 'loading';
  failure: unknown;
  roots: readonly LocationNode[] = [];
  readonly #http: HttpClient;
  readonly #order: LocationOrder;
  #byUid: ReadonlyMap<string, LocationNode> = new Map();
  #loading: Promise<void> | undefined;

  constructor(http: HttpClient, order: LocationOrder) {
    this.#http = http;
    this.#order = order;
    makeObservable(this, { state: observableRef, roots: observableRef });
  }

  /** Loads anew where it is not loading already. Never rejects: `state` tells. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  find(uid: string): LocationNode | undefined {
    // Reading `roots` makes the caller's view follow a new tree.
    return this.roots.length === 0 ? undefined : this.#byUid.get(uid);
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

  async #load(): Promise<void> {
    runInAction(() => {
      if (this.state === 'failed') this.state = 'loading';
    });
    try {
      const rows = await this.#http.call<typeof listLocations>('GET', '/api/locations', {});
      const { roots, problems } = buildLocationTree(rows, this.#order);
      for (const problem of problems) logError(`The list of locations is not whole: ${JSON.stringify(problem)}`);
      runInAction(() => {
        this.#byUid = new Map(everyNode(roots).map((node) => [node.uid, node]));
        this.roots = roots;
        this.state = 'loaded';
      });
    } catch (cause) {
      logError('The locations could not be loaded.', cause);
      runInAction(() => {
        this.failure = cause;
        this.state = 'failed';
      });
    }
  }
}

function everyNode(roots: readonly LocationNode[]): readonly LocationNode[] {
  return roots.flatMap((node) => [node, ...everyNode(node.children)]);
}
