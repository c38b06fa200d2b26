import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessFlags, type AccessFlag, type ErrorBody } from '#core';
import { deleteLocation } from '#core/api';
import type { EnabledBridge, EnabledPlugin } from '../../server/kernel/enabled-plugin.ts';
import { compileSchemas } from '../../server/kernel/install-routes.ts';
import type { Route } from '../../server/kernel/route-table.ts';
import { LocationStore } from '../../server/access/location-store.ts';
import { buildSample } from './build-sample.ts';
import { startTestServer, type TestServer } from './start-test-server.ts';
import { fillPath } from './test-calls.ts';

const accessibleUid = 'access-near';
const inaccessibleUid = 'access-far';

/**
 * Tests the access of all endpoints of core, plugins and bridges: 401 without a token, 403 without the flag or for an
 * inaccessible location, and neither for permitted callers. Also compiles all schemas. Fails if there is no endpoint.
 */
export function describeAccess(
  title: string,
  plugins: readonly EnabledPlugin[],
  bridges: readonly EnabledBridge[] = [],
): void {
  describe(title, () => {
    let server: TestServer;
    let routes: readonly Route[];
    const tokens = new Map<string, string>();

    beforeAll(async () => {
      server = await startTestServer({ plugins, bridges });
      routes = server.server.routes;
      const row = { label: 'Near', name: 'Near', parent: null, locationType: 'PRIMARY_LOCATION' } as const;
      await server.service(LocationStore).upsert([
        { ...row, uid: accessibleUid, root: accessibleUid },
        { ...row, uid: inaccessibleUid, root: inaccessibleUid, name: 'Far' },
      ]);
    });
    afterAll(() => server.close());

    /** The token of a person with exactly these flags and access only to `near`. */
    async function tokenWith(...flags: readonly AccessFlag[]): Promise<string> {
      const key = flags.join();
      const cached = tokens.get(key) ?? (await server.signIn({ flags, locations: [accessibleUid] }));
      tokens.set(key, cached);
      return cached;
    }

    async function send(
      route: Route,
      token: string | undefined,
      location = accessibleUid,
    ): Promise<{ readonly status: number; readonly code: string | undefined }> {
      const { endpoint } = route;
      const [source, field] = endpoint.location?.split('.') ?? [];
      const locationIn = (part: string) => (source === part && field !== undefined ? { [field]: location } : {});
      const body =
        route.kind === 'json' && route.endpoint.body
          ? { ...buildSample(route.endpoint.body), ...locationIn('body') }
          : undefined;
      const query = new URLSearchParams(
        Object.entries({ ...buildSample(endpoint.query), ...locationIn('query') }).map(
          ([name, value]): [string, string] => [name, String(value)],
        ),
      );
      const answer = await server.app.inject({
        method: endpoint.method,
        url: `${fillPath(endpoint.path, { '*': 'x', ...buildSample(endpoint.params), ...locationIn('params') })}?${query.toString()}`,
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        ...(body ? { payload: body } : {}),
      });
      const code =
        /json/.test(String(answer.headers['content-type'])) && answer.statusCode >= 400
          ? answer.json<ErrorBody>().code
          : undefined;
      return { status: answer.statusCode, code };
    }

    const getName = ({ endpoint }: Route): string => `${endpoint.method} ${endpoint.path}`;
    const listGuarded = (): readonly Route[] =>
      routes.filter(({ endpoint }) => endpoint.access !== 'public' && endpoint.access !== 'byHandler');

    it('[ACC-04] declares the access of every endpoint', () => {
      expect(routes.length).toBeGreaterThan(0);
      for (const route of routes)
        expect([getName(route), ['public', 'signedIn', 'byHandler', ...accessFlags]], getName(route)).toEqual([
          getName(route),
          expect.arrayContaining([route.endpoint.access]),
        ]);
    });

    it('compiles the schemas of every endpoint', () => {
      for (const route of routes) expect(() => compileSchemas(route), getName(route)).not.toThrow();
    });

    it('[ACC-04] answers 401 without a token and with an invalid one', async () => {
      for (const route of listGuarded()) {
        expect([getName(route), await send(route, undefined)]).toEqual([getName(route), { status: 401, code: 'E005' }]);
        expect([getName(route), await send(route, 'no.token.atall')]).toEqual([
          getName(route),
          { status: 401, code: 'E005' },
        ]);
      }
    });

    it('[ACC-04] answers 403 without the flag, even with all other flags', async () => {
      for (const route of listGuarded()) {
        const { access, location } = route.endpoint;
        if (access === 'public' || access === 'byHandler' || access === 'signedIn') continue;
        const otherFlags = accessFlags.filter((flag) => flag !== access);
        expect([getName(route), await send(route, await tokenWith())]).toEqual([
          getName(route),
          { status: 403, code: 'E003' },
        ]);
        expect([getName(route), await send(route, await tokenWith(...otherFlags))]).toEqual([
          getName(route),
          { status: 403, code: 'E003' },
        ]);
        if (location === undefined)
          expect([getName(route), (await send(route, await tokenWith(access))).status]).not.toEqual([
            getName(route),
            401,
          ]);
      }
    });

    it('[ACC-04] answers 403 for an inaccessible location and for an unknown one', async () => {
      const locatedRoutes = listGuarded().filter(({ endpoint }) => endpoint.location !== undefined);
      // The location is deleted last.
      for (const route of locatedRoutes.toSorted(byDeletion)) {
        const { access } = route.endpoint;
        const token =
          access === 'signedIn' || access === 'public' || access === 'byHandler'
            ? await tokenWith()
            : await tokenWith(access);
        expect([getName(route), await send(route, token, inaccessibleUid)]).toEqual([
          getName(route),
          { status: 403, code: 'E003' },
        ]);
        expect([getName(route), await send(route, token, 'nowhere')]).toEqual([
          getName(route),
          { status: 403, code: 'E003' },
        ]);
        expect([getName(route), (await send(route, token, accessibleUid)).status]).not.toEqual([getName(route), 403]);
      }
    });
  });
}

const deletesLocation = ({ endpoint }: Route): number =>
  Number(endpoint.path === deleteLocation.path && endpoint.method === deleteLocation.method);
const byDeletion = (a: Route, b: Route): number => deletesLocation(a) - deletesLocation(b);
