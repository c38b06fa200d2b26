import type { TestServer } from '#core/testing/server';
import { fillPath } from '../../core/testing/server/test-calls.ts';
import type { Route } from '../../core/server/kernel/route-table.ts';

export type Params = Readonly<Record<string, string>>;

/** The reply fields that contain the id for a parameter. */
const replyFieldsByParam: Readonly<Record<string, readonly string[]>> = {
  node: ['node'],
  deck: ['deck'],
  tour: ['tour'],
  tag: ['uid'],
  document: ['uid'],
  revision: ['revision'],
  model: ['model', 'uid'],
  comment: ['uid'],
  contact: ['uid'],
  item: ['uid'],
  notice: ['uid'],
  number: ['number'],
  code: ['code'],
  uid: ['uid'],
  person: ['uid'],
  batch: ['uid'],
  export: ['uid'],
  import: ['uid'],
  kind: ['id'],
  row: ['id'],
  check: ['id'],
  master: ['uid'],
  role: ['uid'],
  request: ['uid'],
  groupRole: ['uid'],
};

interface KnownRow {
  /** First two segments of the endpoint's path, such as `api/tour`. */
  readonly family: string;
  readonly location: string;
  readonly members: Readonly<Record<string, unknown>>;
}

/** Existing rows, as an admin's lists return them. */
export class KnownRows {
  readonly locations: readonly string[];
  readonly #rows: readonly KnownRow[];
  readonly #files: readonly string[];

  constructor(locations: readonly string[], rows: readonly KnownRow[], files: readonly string[]) {
    this.locations = locations;
    this.#rows = rows;
    this.#files = files;
  }

  static async read(server: TestServer, token: string, locations: readonly string[]): Promise<KnownRows> {
    const rows: KnownRow[] = [];
    const files = new Set<string>();
    for (const { kind, endpoint } of server.server.routes) {
      const names = listParams(endpoint.path);
      if (kind !== 'json' || endpoint.method !== 'GET' || names.some((name) => name !== 'location')) continue;
      for (const location of names.length > 0 ? locations : ['']) {
        const { statusCode, body } = await server.app.inject({
          url: fillPath(endpoint.path, { location }),
          headers: { authorization: `Bearer ${token}` },
        });
        if (statusCode !== 200) continue;
        for (const [, id] of body.matchAll(/\/api\/files\/([0-9a-f]{32})/g)) files.add(id!);
        for (const members of listObjects(JSON.parse(body)))
          rows.push({ family: toFamily(endpoint.path), location: toText(members['location']) ?? location, members });
      }
    }
    return new KnownRows(locations, rows, [...files]);
  }

  /** All file ids. */
  get files(): readonly string[] {
    return this.#files;
  }

  /** Returns values of an endpoint's parameters that belong to the same row. */
  listParamsOfRows({ endpoint }: Route): readonly Params[] {
    const names = listParams(endpoint.path);
    if (names.every((name) => name === 'location' || name === 'site'))
      return this.locations.map((location) => ({ location, site: location }));
    const family = toFamily(endpoint.path);
    const knownParams = this.#rows
      // The roles of the callers must stay as they are.
      .filter(({ members }) => family !== 'api/roles' || members['people'] === 0)
      .filter((row) => row.family === family && (row.location !== '' || !names.includes('location')))
      .flatMap(({ location, members }) => {
        const params: Record<string, string> = { location };
        for (const name of names.filter((paramName) => paramName !== 'location')) {
          const id = (replyFieldsByParam[name] ?? [])
            .map((source) => toText(members[source]))
            .find((text) => text !== undefined);
          if (id === undefined) return [];
          params[name] = id;
        }
        return [params];
      });
    return [...new Map(knownParams.map((params) => [JSON.stringify(params), params])).values()];
  }

  /** Returns all texts in these fields of the rows. */
  listTexts(...names: readonly string[]): readonly string[] {
    return [...new Set(this.#rows.flatMap(({ members }) => names.flatMap((name) => toText(members[name]) ?? [])))];
  }
}

export const listParams = (path: string): readonly string[] =>
  [...path.matchAll(/:(\w+)|\*$/g)].map(([, name]) => name ?? '*');

const toFamily = (path: string): string => path.split('/').slice(1, 3).join('/');
const toText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function listObjects(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  const nestedObjects = Object.values(value).flatMap(listObjects);
  return Array.isArray(value) ? nestedObjects : [{ ...value }, ...nestedObjects];
}
