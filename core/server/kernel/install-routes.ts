import type {} from '@fastify/compress';
import multipart from '@fastify/multipart';
import type {} from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Logger } from 'pino';
import type { Static, TSchema } from 'typebox';
import type { FieldError } from '#core';
import { validate } from '../../common/validators/index.ts';
import type { Caller } from '../access/caller.ts';
import type { LocationStore } from '../access/location-store.ts';
import type { Authenticator } from './authenticator.ts';
import { getCheck, compileCheck, type RequestPart } from './body-checks.ts';
import type { DiskSpaceMonitor } from './disk-space.ts';
import { EndpointCall, createSignal } from './endpoint-call.ts';
import { toNetwork } from './to-network.ts';
import { PreparedReply } from './prepared-reply.ts';
import { compileSerializer, createSerializer } from './reply-serializer.ts';
import { createAccessGuard, findCaller, createLocationGuard } from './request-guard.ts';
import type { Route } from './route-table.ts';
import { sendPrepared } from './send-prepared.ts';
import type { ServerConfig } from './server-config.ts';
import { invalidRequest, tooLarge, tooManyRequests } from './server-error.ts';

/** The limit of uploads whose endpoint sets none. */
const defaultUploadBytes = 100 * 1024 * 1024;

export interface RouteServices {
  readonly config: ServerConfig;
  readonly disk: DiskSpaceMonitor;
  readonly log: Logger;
  readonly authenticator: () => Authenticator;
  readonly locations: () => LocationStore;
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Registers each collected route with Fastify. The checks run in this order: rate, access, size, shape, rules,
 * location; the first check that fails determines the response.
 */
export async function installRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  services: RouteServices,
): Promise<void> {
  const uploads = routes.filter((route) => route.kind === 'raw' && route.endpoint.accepts === 'multipart');
  for (const route of routes) if (!uploads.includes(route)) app.route(toRouteOptions(app, route, services));
  await app.register(async (scope) => {
    const fileSize = Math.min(defaultUploadBytes, services.config.limits.uploadBytes);
    await scope.register(multipart, {
      limits: {
        fileSize,
        files: 20,
        fields: 50,
        parts: 70,
        fieldSize: 64 * 1024,
        fieldNameSize: 100,
        headerPairs: 100,
      },
    });
    for (const route of uploads) scope.route(toRouteOptions(app, route, services));
  });
}

function toRouteOptions(app: FastifyInstance, route: Route, services: RouteServices): RouteOptions {
  const { endpoint } = route;
  const schema = toRouteSchema(route);
  const options: RouteOptions = {
    method: endpoint.method,
    url: endpoint.path,
    schema,
    validatorCompiler: ({ schema: part, httpPart }) => getCheck(part as TSchema, toRequestPart(httpPart)),
    serializerCompiler: ({ schema: reply }) => createSerializer(reply),
    onRequest: [
      ...createRateHooks(app, route, services),
      createAccessGuard(endpoint, services),
      ...createSizeHooks(route, services),
    ],
    preHandler: [
      ...createRuleHooks(route),
      ...(endpoint.location === undefined ? [] : [createLocationGuard(endpoint.location, services.locations)]),
    ],
    handler: route.kind === 'json' ? createJsonHandler(route, services) : createRawHandler(route),
  };
  if (route.kind === 'raw') return { ...options, compress: false };
  const { maximumBodyBytes = 0 } = route.endpoint;
  const { bodyBytes } = services.config.limits;
  return maximumBodyBytes > bodyBytes ? { ...options, bodyLimit: maximumBodyBytes } : options;
}

/**
 * Compiles the schemas of a route at once; a running server compiles them at first use.
 *
 * @throws if a schema of the endpoint is invalid
 */
export function compileSchemas(route: Route): void {
  const { params, query } = route.endpoint;
  if (params) compileCheck(params, 'params');
  if (query) compileCheck(query, 'query');
  if (route.kind !== 'json') return;
  if (route.endpoint.body) compileCheck(route.endpoint.body, 'body');
  compileSerializer(route.endpoint.reply);
}

function toRouteSchema(route: Route): Record<string, unknown> {
  const { endpoint } = route;
  const schema: Record<string, unknown> = {};
  if (endpoint.params) schema['params'] = endpoint.params;
  if (endpoint.query) schema['querystring'] = endpoint.query;
  if (route.kind !== 'json') return schema;
  if (route.endpoint.body) schema['body'] = route.endpoint.body;
  schema['response'] = { [route.endpoint.status ?? 200]: route.endpoint.reply };
  return schema;
}

const toRequestPart = (httpPart: string | undefined): RequestPart =>
  httpPart === 'body' || httpPart === 'params' ? httpPart : 'query';

function createRateHooks(
  app: FastifyInstance,
  { endpoint }: Route,
  { config: { limits }, log }: Pick<RouteServices, 'config' | 'log'>,
): Hook[] {
  if (limits.requestsPerMinute === 0) return [];
  const limit = app.rateLimit({
    max: endpoint.limitPerMinute ?? limits.requestsPerMinute,
    timeWindow: 60_000,
    groupId: `${endpoint.method} ${endpoint.path}`,
    keyGenerator: (request) => toNetwork(request.ip),
    errorResponseBuilder: ({ id, ip }, { ttl }) => {
      log.warn({ event: 'request.throttled', request: id, route: endpoint.path, address: ip }, 'Too many requests.');
      return tooManyRequests(Math.max(1, Math.ceil(ttl / 1000)));
    },
  });
  return [limit.bind(app) as Hook];
}

/** Refuses a body before it is read if its declared length is too large, or larger than the free disk space. */
function createSizeHooks(route: Route, { config: { limits }, disk }: RouteServices): Hook[] {
  if (route.kind === 'json' || route.endpoint.accepts !== 'multipart') return [];
  const maxFileBytes = route.endpoint.maximumBytes ?? Math.min(defaultUploadBytes, limits.uploadBytes);
  // The headers of the parts need some space too.
  const maxBodyBytes = maxFileBytes + 64 * 1024;
  return [
    async ({ headers }) => {
      const bytes = Number(headers['content-length'] ?? 0);
      if (bytes > maxBodyBytes) throw tooLarge(`The body is larger than the ${maxFileBytes} bytes that are allowed.`);
      await disk.assertSpace(bytes);
    },
  ];
}

function createRuleHooks(route: Route): Hook[] {
  const rules = route.kind === 'json' ? route.endpoint.rules : undefined;
  if (!rules) return [];
  return [
    async ({ body }) => {
      const fields: readonly FieldError[] =
        typeof body === 'object' && body !== null ? validate<Record<string, unknown>>({ ...body }, rules) : [];
      if (fields.length > 0) throw invalidRequest('The body is not valid.', fields);
    },
  ];
}

function createJsonHandler(
  { endpoint, handler }: Route & { readonly kind: 'json' },
  services: RouteServices,
): RouteOptions['handler'] {
  const status = endpoint.status ?? 200;
  return async (request, reply) => {
    const result: unknown = await handler(new EndpointCall(request, reply, services));
    if (result instanceof PreparedReply) return sendPrepared(result, status, request, reply);
    if (result === undefined) throw new Error(`The handler of ${endpoint.method} ${endpoint.path} returned no reply.`);
    return reply.code(status).send(result);
  };
}

function createRawHandler({ endpoint, handler }: Route & { readonly kind: 'raw' }): RouteOptions['handler'] {
  return async (request, reply) =>
    handler({
      params: request.params as Static<NonNullable<typeof endpoint.params>>,
      query: request.query as Static<NonNullable<typeof endpoint.query>>,
      // The guard ensures a caller, except on open endpoints, whose handlers are typed for undefined.
      caller: findCaller(request) as Caller,
      get signal() {
        return createSignal(reply);
      },
      request,
      reply,
    });
}
