import type {} from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { errorCodes, hasAccess, type EndpointAccess, type LocationField } from '#core';
import type { Caller } from '../access/caller.ts';
import type { LocationStore } from '../access/location-store.ts';
import type { Authenticator } from './authenticator.ts';
import { fromHostCookies } from './host-cookies.ts';
import { isServedOverHttps, type ServerConfig } from './server-config.ts';
import { noAccess, ServerError } from './server-error.ts';

/** The guard sets the caller before the body is read, also if it refuses access, so that the log names the caller. */
const callerKey = Symbol('caller');

interface WithCaller {
  [callerKey]?: Caller;
}

export const findCaller = (request: FastifyRequest): Caller | undefined => (request as WithCaller)[callerKey];

export interface GuardedEndpoint {
  readonly access: EndpointAccess | 'byHandler';
  readonly ticket?: boolean;
}

const noCookies: Readonly<Record<string, string | undefined>> = Object.freeze({});

/** Enforces an endpoint's `access`: 401 without a valid token, 403 without the flag. */
export function createAccessGuard(
  { access, ticket }: GuardedEndpoint,
  { authenticator, config }: { readonly authenticator: () => Authenticator; readonly config: ServerConfig },
): (request: FastifyRequest) => Promise<void> {
  const secure = isServedOverHttps(config);
  const isOpen = access === 'public' || access === 'byHandler';
  const flag = isOpen || access === 'signedIn' ? undefined : access;
  return async (request) => {
    const bearer = parseBearer(request.headers.authorization);
    const cookies = ticket ? fromHostCookies(request.cookies, secure) : noCookies;
    if (isOpen && bearer === undefined && !ticket) return;
    try {
      const caller = await authenticator().authenticate(bearer, cookies);
      (request as WithCaller)[callerKey] = caller;
      if (!hasAccess(caller.access, flag)) throw noAccess();
    } catch (error) {
      if (isOpen && isAnonymous(error, access)) return;
      throw error;
    }
  };
}

/** Enforces an endpoint's `location`: 403 unless the caller can access each location that the field names. */
export function createLocationGuard(
  field: LocationField,
  locations: () => LocationStore,
): (request: FastifyRequest) => Promise<void> {
  const [source, ...path] = field.split('.');
  return async (request) => {
    const caller = findCaller(request);
    const uids = readUids(readSource(request, source), path);
    // The route table requires the field in the schema. A request without the field must be refused in any case.
    if (uids === undefined) throw noAccess('The request names no location.');
    for (const uid of uids)
      if (!caller || !(await locations().canAccess(caller, uid)))
        throw noAccess('Your roles do not reach this location. Please ask the admin for access.');
  };
}

/**
 * On an open endpoint an invalid token counts as no token. With `byHandler`, an inactive account is refused as such.
 */
function isAnonymous(error: unknown, access: GuardedEndpoint['access']): boolean {
  return (
    error instanceof ServerError &&
    error.status === 401 &&
    (access === 'public' || error.code !== errorCodes.inactiveUser)
  );
}

function parseBearer(header: string | undefined): string | undefined {
  return header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : undefined;
}

function readSource(request: FastifyRequest, source: string | undefined): unknown {
  if (source === 'params') return request.params;
  return source === 'query' ? request.query : request.body;
}

function readUids(input: unknown, path: readonly string[]): readonly string[] | undefined {
  let value = input;
  for (const key of path)
    value =
      typeof value === 'object' && value !== null
        ? (Object.getOwnPropertyDescriptor(value, key)?.value as unknown)
        : undefined;
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.map(String) : [String(value)];
}
