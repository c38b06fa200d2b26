import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessFlags, type AccessFlag, type ErrorBody } from '#core';
import type { EnabledBridge, EnabledPlugin } from '../../server/kernel/enabled-plugin.ts';
import { compileSchemas } from '../../server/kernel/install-routes.ts';
import type { Route } from '../../server/kernel/route-table.ts';
import { LocationStore } from '../../server/access/location-store.ts';
import { buildSample } from './build-sample.ts';
import { startTestServer, type TestServer } from './start-test-server.ts';
import { addressFor } from './test-calls.ts';

const near = 'access-near';
const far = 'access-far';

/**
 * Tests `access` of all endpoints of core, plugins and bridges: 401 without a token, 403 without the flag or for an
 * inaccessible location, and neither for permitted callers. Compiles all schemas. Names endpoints whose handler
 * decides. Fails without endpoints.
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
        { ...row, uid: near, root: near },
        { ...row, uid: far, root: far, name: 'Far' },
      ]);
    });
    afterAll(() => server.close());

    /** The token of a person with exactly these flags and access only to `near`. */
    async function tokenWith(...flags: readonly AccessFlag[]): Promise<string> {
      const key = flags.join();
      const cached = tokens.get(key) ?? (await server.signIn({ flags, locations: [near] }));
      tokens.set(key, cached);
      return cached;
    }

    async function ask(
      route: Route,
      token: string | undefined,
      location = near,
    ): Promise<{ readonly status: number; readonly code: string | undefined }> {
      const { endpoint } = route;
      const [place, field] = endpoint.location?.split('.') ?? [];
      const given = (part: string) => (place === part && field !== undefined ? { [field]: location } : {});
      const body =
        route.kind === 'json' && route.endpoint.body
          ? { ...buildSample(route.endpoint.body), ...given('body') }
          : undefined;
      const query = new URLSearchParams(
        Object.entries({ ...buildSample(endpoint.query), ...given('query') }).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
      );
      const answer = await server.app.inject({
        method: endpoint.method,
        url: `${addressFor(endpoint.path, { '*': 'x', ...buildSample(endpoint.params), ...given('params') })}?${query.toString()}`,
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
    const guarded = (): readonly Route[] =>
      routes.filter(({ endpoint }) => endpoint.access !== 'public' && endpoint.access !== 'byHandler');

    it('[ACC-04] declares the access of every endpoint, and finds some', () => {
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
      for (const route of guarded()) {
        expect([getName(route), await ask(route, undefined)]).toEqual([getName(route), { status: 401, code: 'E005' }]);
        expect([getName(route), await ask(route, 'no.token.atall')]).toEqual([
          getName(route),
          { status: 401, code: 'E005' },
        ]);
      }
    });

    it('[ACC-04] answers 403 without the flag, whatever the other flags', async () => {
      for (const route of guarded()) {
        const { access, location } = route.endpoint;
        if (access === 'public' || access === 'byHandler' || access === 'signedIn') continue;
        const others = accessFlags.filter((flag) => flag !== access);
        expect([getName(route), await ask(route, await tokenWith())]).toEqual([
          getName(route),
          { status: 403, code: 'E003' },
        ]);
        expect([getName(route), await ask(route, await tokenWith(...others))]).toEqual([
          getName(route),
          { status: 403, code: 'E003' },
        ]);
        if (location === undefined)
          expect([getName(route), (await ask(route, await tokenWith(access))).status]).not.toEqual([
            getName(route),
            401,
          ]);
      }
    });

    it('[ACC-04] answers 403 for an inaccessible location and for an unknown one', async () => {
      for (const route of guarded().filter(({ endpoint }) => endpoint.location !== undefined)) {
        const { access } = route.endpoint;
        const token =
          access === 'signedIn' || access === 'public' || access === 'byHandler'
            ? await tokenWith()
            : await tokenWith(access);
        expect([getName(route), await ask(route, token, far)]).toEqual([getName(route), { status: 403, code: 'E003' }]);
        expect([getName(route), await ask(route, token, 'nowhere')]).toEqual([
          getName(route),
          { status: 403, code: 'E003' },
        ]);
        expect([getName(route), (await ask(route, token, near)).status]).not.toEqual([getName(route), 403]);
      }
    });
  });
}
