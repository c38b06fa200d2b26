import type { TSchema } from 'typebox';
import type { Product } from '#core';
import { boundIntegers } from './bounded-integers.ts';
import type { Route } from './route-table.ts';

export interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly [key: string]: unknown;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: unknown;
}

const describeError = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const components = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer' },
    fileTicket: { type: 'apiKey', in: 'cookie', name: 'fileTicket' },
  },
  schemas: {
    Error: {
      type: 'object',
      required: ['code', 'message', 'reference'],
      properties: {
        code: { type: 'string', description: 'The kind of error, E000 to E011.' },
        message: { type: 'string' },
        reference: { type: 'string', description: 'The id of the request, which its log lines name.' },
        fields: {
          type: 'array',
          items: {
            type: 'object',
            required: ['pointer', 'message'],
            properties: { pointer: { type: 'string' }, message: { type: 'string' }, values: { type: 'object' } },
          },
        },
      },
    },
  },
};

/** The OpenAPI description of all endpoints, made from the schemas that validate their requests. */
export function describeApi(product: Product, routes: readonly Route[]): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const path = route.endpoint.path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');
    paths[path] = { ...paths[path], [route.endpoint.method.toLowerCase()]: describeOperation(route) };
  }
  return { openapi: '3.1.0', info: { title: product.title, version: product.version }, paths, components };
}

function describeOperation(route: Route): Operation {
  const { endpoint, owner } = route;
  const isPublic = endpoint.access === 'public';
  const acceptsTicket = route.kind === 'raw' && route.endpoint.ticket === true;
  const body = describeBody(route);
  const operation: Operation = {
    summary: endpoint.summary,
    description: formatAccess(endpoint.access, endpoint.location),
    tags: [owner],
    parameters: [...describeParameters(endpoint.params, 'path'), ...describeParameters(endpoint.query, 'query')],
    security: isPublic ? [] : [{ bearer: [] }, ...(acceptsTicket ? [{ fileTicket: [] }] : [])],
    responses: {
      ...describeSuccess(route),
      ...(isPublic
        ? {}
        : {
            401: describeError('No valid token, or an inactive account.'),
            403: describeError('The roles of the caller do not allow this.'),
          }),
      '4XX': describeError('The request was refused.'),
    },
  };
  return body ? { ...operation, requestBody: body } : operation;
}

const accessSentences: Readonly<Partial<Record<string, string>>> = {
  public: 'For anybody.',
  signedIn: 'For signed-in people.',
  byHandler: 'The required access depends on the requested resource.',
};

function formatAccess(access: string, location: string | undefined): string {
  const sentence = accessSentences[access] ?? `For people with the access flag "${access}".`;
  return location === undefined ? sentence : `${sentence} Their roles must allow the location in ${location}.`;
}

function describeSuccess(route: Route): Record<string, unknown> {
  if (route.kind === 'raw') return { 200: { description: 'Done.', content: { [route.endpoint.produces]: {} } } };
  return {
    [route.endpoint.status ?? 200]: {
      description: 'Done.',
      content: { 'application/json': { schema: route.endpoint.reply } },
    },
  };
}

function describeBody(route: Route): unknown {
  if (route.kind === 'json')
    return (
      route.endpoint.body && {
        required: true,
        content: { 'application/json': { schema: boundIntegers(route.endpoint.body) } },
      }
    );
  const accepts = route.endpoint.accepts ?? 'none';
  if (accepts === 'none') return undefined;
  return {
    required: true,
    content: { [accepts === 'multipart' ? 'multipart/form-data' : 'application/octet-stream']: {} },
  };
}

function describeParameters(schema: TSchema | undefined, source: 'path' | 'query'): readonly unknown[] {
  const object: { readonly properties?: Readonly<Record<string, unknown>>; readonly required?: readonly string[] } =
    schema ?? {};
  return Object.entries(object.properties ?? {}).map(([name, property]) => ({
    name: name === '*' ? 'path' : name,
    in: source,
    required: source === 'path' || (object.required?.includes(name) ?? false),
    schema: boundIntegers(property),
  }));
}
