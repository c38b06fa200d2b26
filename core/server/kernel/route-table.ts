import { accessFlags, type Endpoint } from '#core';
import type { RawEndpoint, RawHandler } from './raw-endpoint.ts';
import type { Call } from './server-plugin.ts';

/** A handler as the kernel calls it, after the input was validated by the endpoint's schemas. */
export type AnyHandler = (call: Call<Endpoint>) => unknown;

export type Route =
  | { readonly kind: 'json'; readonly owner: string; readonly endpoint: Endpoint; readonly handler: AnyHandler }
  | { readonly kind: 'raw'; readonly owner: string; readonly endpoint: RawEndpoint; readonly handler: RawHandler };

const openAccess = new Set<string>(['public', 'byHandler']);

/** The endpoints of core and plugins, collected while mounting; refuses those that cannot be guarded. */
export class RouteTable {
  readonly #routes: Route[] = [];
  readonly #owners = new Map<string, string>();
  #closed = false;

  get routes(): readonly Route[] {
    return this.#routes;
  }

  /** `flags` are the access flags of the owner's manifest; undefined for core, which may use all. */
  add(route: Route, flags: readonly string[] | undefined): void {
    const { endpoint, owner } = route;
    const name = `${endpoint.method} ${endpoint.path}`;
    if (this.#closed)
      throw new Error(
        `"${owner}" serves ${name} after all plugins were mounted. Call serve while the plugin is mounted.`,
      );
    if (!/^\/(api|auth)\//.test(endpoint.path))
      throw new Error(`"${owner}" serves ${name}: the path of an endpoint begins with /api/ or /auth/.`);
    checkAccess(route, name, flags);
    checkLocation(route, name);
    const key = `${endpoint.method} ${endpoint.path.replace(/:[^/]+/g, ':')}`;
    const existingOwner = this.#owners.get(key);
    if (existingOwner !== undefined)
      throw new Error(`Both "${existingOwner}" and "${owner}" serve ${name}. Each path has one owner: rename one.`);
    this.#owners.set(key, owner);
    this.#routes.push(route);
  }

  close(): void {
    this.#closed = true;
  }
}

function checkAccess({ endpoint, kind, owner }: Route, name: string, flags: readonly string[] | undefined): void {
  const access: string | undefined = endpoint.access;
  const isKnown =
    access === 'public' ||
    access === 'signedIn' ||
    (kind === 'raw' && access === 'byHandler') ||
    accessFlags.some((flag) => flag === access);
  if (!isKnown)
    throw new Error(
      `"${owner}" serves ${name} without saying who may call it. Give the endpoint an access: "public", "signedIn" ` +
        `or one of ${accessFlags.join(', ')}.`,
    );
  if (flags && access !== 'public' && access !== 'signedIn' && access !== 'byHandler' && !flags.includes(access))
    throw new Error(
      `"${owner}" guards ${name} by "${access}", which its manifest does not name under "access". Add it there.`,
    );
}

function checkLocation({ endpoint, owner, kind }: Route, name: string): void {
  if (endpoint.location === undefined) return;
  if (openAccess.has(endpoint.access))
    throw new Error(
      `"${owner}" serves ${name} to anybody but checks a location. Give it an access that requires sign-in.`,
    );
  const [source, ...path] = endpoint.location.split('.');
  const body = kind === 'json' ? endpoint.body : undefined;
  const schemas: Readonly<Partial<Record<string, unknown>>> = { params: endpoint.params, query: endpoint.query, body };
  let schema = schemas[source ?? ''];
  for (const field of path) {
    const property = findField(schema, field);
    if (property === undefined)
      throw new Error(
        `"${owner}" checks access to ${name} at the location in "${endpoint.location}", which its schema does not have. ` +
          'Correct the name, or add the field.',
      );
    if (!property.required)
      throw new Error(
        `"${owner}" checks access to ${name} at the location in "${endpoint.location}", which may be left out: a call without ` +
          'it would pass unchecked. Make the field required, or define two endpoints.',
      );
    schema = property.schema;
  }
}

function findField(
  schema: unknown,
  field: string,
): { readonly schema: unknown; readonly required: boolean } | undefined {
  const { properties, required }: { readonly properties?: unknown; readonly required?: unknown } =
    typeof schema === 'object' && schema !== null ? schema : {};
  if (typeof properties !== 'object' || properties === null || !Object.hasOwn(properties, field)) return undefined;
  return {
    schema: Object.entries(properties).find(([name]) => name === field)?.[1],
    required: Array.isArray(required) && required.includes(field),
  };
}
