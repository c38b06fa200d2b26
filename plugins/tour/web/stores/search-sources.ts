import { inject, injectable } from 'inversify';
import { routes, type LocationNode } from '#core';
import { HttpClient, Locations, Navigation } from '#core/web';
import { TourStore, tourView, type SearchHit, type SearchSource, type TagType } from '#plugins/tour';
import type { searchTags } from '#plugins/tour/api';
import { filterBySearch } from './find-matches.ts';

const maxHits = 50;

/** Finds the tags or the lines of the open tour. */
abstract class TagTypeSource implements SearchSource {
  readonly #http: HttpClient;
  readonly #store: TourStore;
  readonly #type: TagType;

  constructor(http: HttpClient, store: TourStore, type: TagType) {
    this.#http = http;
    this.#store = store;
    this.#type = type;
  }

  async find(text: string, location: string, signal: AbortSignal): Promise<readonly SearchHit[]> {
    const hits = await this.#http.call<typeof searchTags>(
      'GET',
      '/api/tour/:location/tags',
      { params: { location }, query: { text, type: this.#type } },
      { signal },
    );
    return hits.map(({ number, description, match }) => ({
      id: number,
      title: number,
      detail: description,
      similar: match === 'SIMILAR',
      open: () => void this.#store.goToTag(number),
    }));
  }
}

@injectable()
export class TagSource extends TagTypeSource {
  constructor(@inject(HttpClient) http: HttpClient, @inject(TourStore) store: TourStore) {
    super(http, store, 'TAG');
  }
}

@injectable()
export class LineSource extends TagTypeSource {
  constructor(@inject(HttpClient) http: HttpClient, @inject(TourStore) store: TourStore) {
    super(http, store, 'LINE');
  }
}

/** Finds viewpoints of the open tour. */
@injectable()
export class NodeSource implements SearchSource {
  readonly #store: TourStore;

  constructor(@inject(TourStore) store: TourStore) {
    this.#store = store;
  }

  async find(text: string): Promise<readonly SearchHit[]> {
    // A large tour is opened with only the nearest nodes.
    await this.#store.loadAllNodes();
    const { items, similar } = filterBySearch(this.#store.nodes, text, ({ name, code }) => [name, code]);
    return items.slice(0, maxHits).map(({ uid, name, code, thumbnail }) => ({
      id: uid,
      title: name,
      detail: code,
      similar,
      ...(thumbnail === null ? {} : { picture: thumbnail }),
      open: () => {
        this.#store.goTo(uid);
        this.#store.setPanel(undefined);
      },
    }));
  }
}

/** Finds all locations that the person can access. A site opens its page. Any other location opens its tour. */
@injectable()
export class LocationSource implements SearchSource {
  readonly #locations: Locations;
  readonly #navigation: Navigation;

  constructor(@inject(Locations) locations: Locations, @inject(Navigation) navigation: Navigation) {
    this.#locations = locations;
    this.#navigation = navigation;
  }

  find(text: string): Promise<readonly SearchHit[]> {
    const { items, similar } = filterBySearch(
      this.#locations.roots.flatMap(listWithDescendants),
      text,
      ({ name, label }) => [name, label],
    );
    return Promise.resolve(
      items.slice(0, maxHits).flatMap(({ uid, name }) => {
        const path = this.#locations.pathTo(uid);
        const url =
          path.length === 1
            ? this.#navigation.linkTo(routes.location, { location: uid })
            : this.#navigation.linkTo(tourView, { location: uid });
        if (url === undefined) return [];
        return [
          {
            id: uid,
            title: name,
            detail: path
              .slice(0, -1)
              .map((parent) => parent.name)
              .join(' › '),
            similar,
            open: () => this.#navigation.goToUrl(url),
          },
        ];
      }),
    );
  }
}

function listWithDescendants(node: LocationNode): readonly LocationNode[] {
  return [node, ...node.children.flatMap(listWithDescendants)];
}
