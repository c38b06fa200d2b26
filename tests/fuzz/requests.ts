import fc from 'fast-check';
import type { TSchema } from 'typebox';
import type { Route } from '../../core/server/kernel/route-table.ts';
import { generateHostileForms, generateValidForms, type Form, type FormContent } from './forms.ts';
import { brokenJson, makeHostile, hostileTexts } from './hostile-values.ts';
import { hostileHeaders } from './hostile-headers.ts';
import { listParams, type KnownRows, type Params } from './known-rows.ts';
import { stringifyRaw } from './raw-json.ts';
import { arbitraryValues, type Meanings } from './schema-values.ts';

/** The hostile part of a request, or `none` if all parts are valid. */
export type HostilePart = 'none' | 'bounds' | 'path' | 'query' | 'body' | 'headers';

export interface FuzzRequest {
  /** Such as `PUT /api/me`. */
  readonly endpoint: string;
  readonly hostile: HostilePart;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

export interface RequestOptions {
  readonly rows: KnownRows;
  readonly meanings: Meanings;
  /** The cookies that an endpoint requires, by `METHOD path`. */
  readonly cookies: Readonly<Record<string, string>>;
  /** The valid content of an endpoint that accepts forms, by `METHOD path`. */
  readonly forms: Readonly<Record<string, FormContent>>;
  /** Prefix of the location uids that the caller can access. Undefined if the caller can access all. */
  readonly site: string | undefined;
}

/** Generates requests to all routes. Those that hash a password or start a process get fewer requests. */
export function generateRequests(routes: readonly Route[], options: RequestOptions): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...routes.map((route) => ({ weight: getWeight(route), arbitrary: generateRequestsTo(route, options) })),
    {
      weight: 4,
      arbitrary: fc.constantFrom(...otherUrls.map(buildPlainRequest)),
    },
  );
}

export const getRouteName = ({ endpoint }: Route): string => `${endpoint.method} ${endpoint.path}`;

const otherUrls = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/api/openapi.json',
  '/api/docs',
  '/',
  '/api/none',
  '/api/%',
  '//',
  '/api/../x',
];
const buildPlainRequest = (url: string): FuzzRequest => ({
  endpoint: 'others',
  hostile: 'headers',
  method: 'GET',
  url,
  headers: {},
  body: undefined,
});

const isForm = (route: Route): boolean => route.kind === 'raw' && route.endpoint.accepts === 'multipart';
const slowPaths = /\/(login|register|password)$/;

function getWeight(route: Route): number {
  return isForm(route) || slowPaths.test(route.endpoint.path) ? 4 : 10;
}

function generateRequestsTo(route: Route, options: RequestOptions): fc.Arbitrary<FuzzRequest> {
  const { endpoint } = route;
  const hasBody = isForm(route) || (route.kind === 'json' && route.endpoint.body !== undefined);
  const parts: readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<HostilePart> }[] = [
    { weight: 10, arbitrary: fc.constant('none') },
    { weight: 3, arbitrary: fc.constant('bounds') },
    ...(endpoint.params ? [{ weight: 2, arbitrary: fc.constant('path' as const) }] : []),
    { weight: endpoint.query ? 3 : 1, arbitrary: fc.constant('query') },
    { weight: hasBody ? 7 : 1, arbitrary: fc.constant('body') },
    { weight: 2, arbitrary: fc.constant('headers') },
  ];
  return fc.oneof(...parts).chain((hostile) => generateRequest(route, hostile, options));
}

function generateRequest(route: Route, hostile: HostilePart, options: RequestOptions): fc.Arbitrary<FuzzRequest> {
  const { endpoint } = route;
  const cookie = options.cookies[getRouteName(route)];
  return fc
    .record({
      path: arbitraryPaths(route, hostile, options),
      query: arbitraryQueries(endpoint.query, hostile, options),
      content: generateContents(route, hostile, options),
      headers: hostile === 'headers' ? hostileHeaders : fc.constant({}),
      head: fc.integer({ min: 0, max: 9 }).map((digit) => endpoint.method === 'GET' && digit === 0),
    })
    .map(({ path, query, content, headers, head }) => ({
      endpoint: getRouteName(route),
      hostile,
      method: head ? 'HEAD' : endpoint.method,
      url: path + query,
      headers: {
        ...(cookie === undefined ? {} : { cookie }),
        ...(content ? { 'content-type': content.contentType } : {}),
        ...headers,
      },
      body: content?.body,
    }));
}

const hostileSegments = fc.oneof(
  fc.constantFrom(
    '%00',
    'a%00b',
    '%ED%A0%80',
    '%',
    '%zz',
    '..',
    '%2e%2e%2f',
    '%2F',
    '',
    'x'.repeat(1500),
    '%F0%9F%98%80',
  ),
  fc.constantFrom(...hostileTexts.filter((text) => text.length < 3000)).map(encodeText),
  fc.string({ unit: 'binary', maxLength: 70 }).map(encodeText),
);

/** Percent-encodes a text. Lone surrogates become the invalid UTF-8 that some programs send. */
function encodeText(text: string): string {
  return [...text]
    .map((character) => (/\p{Cs}/u.test(character) ? '%ED%A0%80' : encodeURIComponent(character)))
    .join('');
}

function arbitraryPaths(route: Route, hostile: HostilePart, options: RequestOptions): fc.Arbitrary<string> {
  const { path } = route.endpoint;
  const names = listParams(path);
  if (names.length === 0) return fc.constant(path);
  const valid = arbitraryParams(route, options);
  if (hostile !== 'path') return valid.map((params) => fillPath(path, encodeParams(params)));
  return fc
    .tuple(valid, fc.constantFrom(...names), hostileSegments)
    .map(([params, name, segment]) => fillPath(path, { ...encodeParams(params), [name]: segment }));
}

const encodeParams = (params: Params): Params =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, name === '*' ? value : encodeURIComponent(value)]),
  );
const fillPath = (path: string, params: Params): string =>
  path.replaceAll(/:(\w+)|\*$/g, (_whole, name: string | undefined) => params[name ?? '*'] ?? 'x');

function arbitraryParams(route: Route, { rows, meanings, site }: RequestOptions): fc.Arbitrary<Params> {
  const { endpoint } = route;
  const names = listParams(endpoint.path);
  const anything = fc.record(
    Object.fromEntries(
      names.map((name) => [name, arbitraryMembers(endpoint.params, name, meanings).map((value) => String(value))]),
    ),
  );
  const knownRows = rows.listParamsOfRows(route);
  const accessibleRows = knownRows.filter(({ location = '' }) => site === undefined || location.startsWith(site));
  const existingRows =
    knownRows.length === 0 ? anything : fc.constantFrom(...(accessibleRows.length > 0 ? accessibleRows : knownRows));
  const locations = fc.constantFrom(...rows.locations.filter((uid) => site === undefined || uid.startsWith(site)));
  // These parameters have a new id, so that PUT creates a row and DELETE does not empty the plant.
  const newRows = fc
    .tuple(anything, locations, existingRows)
    .map(([any, location, row]) =>
      'comment' in any ? { ...row, comment: any['comment']! } : { ...row, ...any, location, site: location },
    );
  const otherRows = knownRows.length === 0 ? anything : fc.constantFrom(...knownRows);
  const [existingWeight, newWeight] =
    endpoint.method === 'DELETE' ? [1, 12] : endpoint.method === 'PUT' ? [4, 4] : [8, 1];
  return fc.oneof(
    { weight: existingWeight, arbitrary: existingRows },
    { weight: newWeight, arbitrary: names.length > 1 || knownRows.length === 0 ? newRows : existingRows },
    { weight: endpoint.method === 'DELETE' ? 0 : 1, arbitrary: otherRows },
  );
}

function arbitraryMembers(schema: TSchema | undefined, name: string, meanings: Meanings): fc.Arbitrary<unknown> {
  const { properties = {} }: { readonly properties?: Readonly<Record<string, TSchema>> } = schema ?? {};
  const member = properties[name];
  return member === undefined ? fc.constant('x') : arbitraryValues(member, { meanings, atBounds: false }, name);
}

function arbitraryQueries(
  schema: TSchema | undefined,
  hostile: HostilePart,
  { meanings }: RequestOptions,
): fc.Arbitrary<string> {
  const valid = schema
    ? arbitraryValues(schema, { meanings, atBounds: hostile === 'bounds' }).map((value) => listPairs(value as object))
    : fc.constant<readonly string[]>([]);
  if (hostile !== 'query') return valid.map(joinPairs);
  const names = Object.keys((schema as { readonly properties?: object } | undefined)?.properties ?? {});
  const hostilePairs = fc
    .tuple(fc.constantFrom(...names, 'x', '__proto__', '', 'a[]', 'toString'), hostileSegments)
    .map(([name, segment]) => `${name}=${segment}`);
  const rawQueries = fc.constantFrom(
    '&&&',
    '=',
    '%00=%00',
    'a=1&a=2&a=3',
    '?',
    `x=${'y'.repeat(6000)}`,
    '%ff%fe=1',
    'a=+&b=%20',
  );
  return fc
    .tuple(
      valid,
      fc.array(fc.oneof({ weight: 4, arbitrary: hostilePairs }, { weight: 1, arbitrary: rawQueries }), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([validPairs, hostileParts]) =>
      joinPairs([
        ...validPairs.filter(
          (pair) => !hostileParts.some((hostilePair) => hostilePair.split('=')[0] === pair.split('=')[0]),
        ),
        ...hostileParts,
      ]),
    );
}

/** Node refuses request headers longer than 16 KB before the server sees them. */
const maxQueryLength = 12_000;
const joinPairs = (pairs: readonly string[]): string =>
  pairs.length === 0 ? '' : `?${pairs.join('&')}`.slice(0, maxQueryLength);
const listPairs = (value: object): readonly string[] =>
  Object.entries(value).flatMap(([name, member]) =>
    (Array.isArray(member) ? member : [member]).map(
      (item) => `${encodeURIComponent(name)}=${encodeText(String(item))}`,
    ),
  );

function generateContents(route: Route, hostile: HostilePart, options: RequestOptions): fc.Arbitrary<Form | undefined> {
  if (isForm(route)) {
    const content = options.forms[getRouteName(route)];
    if (!content)
      throw new Error(`${getRouteName(route)} accepts a form, but buildForms in fuzz.test.ts has no content for it.`);
    return hostile === 'body' ? generateHostileForms(content) : generateValidForms(content);
  }
  const schema = route.kind === 'json' ? route.endpoint.body : undefined;
  const text = schema
    ? generateJson(arbitraryValues(schema, { meanings: options.meanings, atBounds: hostile === 'bounds' }), hostile)
    : hostile === 'body'
      ? fc.constantFrom(...brokenJson)
      : fc.constant(undefined);
  return text.map((json) =>
    json === undefined ? undefined : { contentType: 'application/json', body: Buffer.from(json) },
  );
}

function generateJson(valid: fc.Arbitrary<unknown>, hostile: HostilePart): fc.Arbitrary<string> {
  if (hostile !== 'body') return valid.map(stringifyRaw);
  return fc.oneof(
    { weight: 9, arbitrary: makeHostile(valid).map(stringifyRaw) },
    { weight: 1, arbitrary: fc.constantFrom(...brokenJson) },
  );
}
