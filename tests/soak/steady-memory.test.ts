import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeOnDatabases,
  createTestDatabase,
  createRandom,
  buildServerProgram,
  soakCount,
  type RunningServer,
  type ServerProgram,
  type TestDatabase,
} from '#core/testing/server';

const requests = soakCount(500, 200_000);
const connections = 8;
const seed = 20_261_122;
/** Size of the old generation in megabytes, per thread of the server. */
const heapMegabytes = 150;
const maxGrowthBytes = 0.1 * 1024;

const programParts = {
  imports: `
    import annotateManifest from './plugins/annotate/plugin.ts';
    import annotate from './plugins/annotate/server/index.ts';
    import locationsManifest from './plugins/locations/plugin.ts';
    import locations from './plugins/locations/server/index.ts';
    import tourManifest from './plugins/tour/plugin.ts';
    import tour from './plugins/tour/server/index.ts';
    import { buildBusyPlant } from './tests/soak/busy-plant.ts';
    import { soakPlugin } from './tests/soak/soak-plugin.ts';
  `,
  list:
    '[enabledPlugin(locationsManifest, {}, locations), enabledPlugin(tourManifest, {}, tour), ' +
    'enabledPlugin(annotateManifest, {}, annotate), soakPlugin]',
  plant: 'buildBusyPlant()',
};

interface MixedRequest {
  readonly method?: string;
  readonly url: string;
  readonly body?: object | string;
  readonly anonymous?: boolean;
  readonly status: number;
}

/** Returns a random read, write or invalid request, as a server gets them on a normal day. */
function pickRequest(random: (below: number) => number): MixedRequest {
  const number = 1000 + random(600);
  const kinds: readonly MixedRequest[] = [
    { url: '/api/locations', status: 200 },
    { url: '/api/me', status: 200 },
    { url: '/api/configuration', status: 200 },
    { url: `/api/tour/unit-0/tags?text=${number % 10}`, status: 200 },
    { url: '/api/tour/unit-0/tags?text=separator', status: 200 },
    { url: `/api/tour/unit-0/tags/PT-${number}`, status: 200 },
    { url: '/api/tour/unit-0', status: 200 },
    { url: '/api/annotate/unit-0/annotations', status: 200 },
    { method: 'PUT', url: '/api/me/preferences', body: { theme: random(2) === 0 ? 'dark' : 'light' }, status: 200 },
    { method: 'PUT', url: '/api/me', body: { name: `Person ${number}` }, status: 200 },
    { method: 'PUT', url: '/api/me', body: { name: '' }, status: 400 },
    { method: 'PUT', url: '/api/me', body: '{ "name": ', status: 400 },
    { url: '/api/tour/unit-0/tags/none', status: 404 },
    { url: '/api/me', anonymous: true, status: 401 },
  ];
  return kinds[random(kinds.length)]!;
}

describeOnDatabases(`server with ${requests} mixed requests`, (kind) => {
  let program: ServerProgram;
  let database: TestDatabase;
  let server: RunningServer;
  let token: string;
  beforeAll(async () => {
    program = await buildServerProgram(programParts);
    database = await createTestDatabase(kind);
    server = await program.start(
      {
        WALKDOWN_DATA: await program.createDataFolder(),
        LOG_LEVEL: 'error',
        WALKDOWN_REQUESTS_PER_MINUTE: '0',
        WALKDOWN_ACCESS_TOKEN_MS: '86400000',
        ...(database.config.kind === 'postgres' ? { DATABASE_URL: database.config.url.reveal() } : {}),
      },
      [`--max-old-space-size=${heapMegabytes}`],
    );
    const person = await post('/api/soak/people');
    token = (await post('/auth/pub/user/login', person)).accessToken as string;
  });
  afterAll(async () => {
    await program.remove();
    await database.remove();
  });

  async function post(url: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetch(server.url + url, {
      method: 'POST',
      headers: { 'x-token-transport': 'json', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await answer.json()) as Record<string, unknown>;
  }

  async function send({ method = 'GET', url, body, anonymous }: MixedRequest): Promise<number> {
    const answer = await fetch(server.url + url, {
      method,
      headers: {
        ...(anonymous ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  async function readResidentBytes(): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
    return Number(/^walkdown_process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
  }

  it(
    'answers each request correctly and grows by less than 0.1 kB per request',
    { timeout: soakCount(60_000, 3_600_000) },
    async () => {
      const random = createRandom(seed);
      const unexpectedReplies: string[] = [];
      /** Resident bytes after each 100 requests. Measured after the first fifth, which fills the caches. */
      const residentSizes: number[] = [];
      let sentCount = 0;
      const work = async (): Promise<void> => {
        while (sentCount < requests) {
          sentCount += 1;
          const shouldMeasure = sentCount > requests / 5 && sentCount % 100 === 0;
          const request = pickRequest(random);
          const status = await send(request);
          if (status !== request.status) unexpectedReplies.push(`${request.method ?? 'GET'} ${request.url}: ${status}`);
          if (shouldMeasure) residentSizes.push(await readResidentBytes());
        }
      };
      await Promise.all(Array.from({ length: connections }, work));
      expect(unexpectedReplies.slice(0, 10)).toEqual([]);
      expect(server.log()).toBe('');
      if (requests < 10_000) return;
      const window = Math.floor(residentSizes.length / 4);
      const first = Math.min(...residentSizes.slice(0, window));
      const last = Math.min(...residentSizes.slice(-window));
      // The two windows are three fifths of all requests apart.
      const growth = (last - first) / (requests * 0.6);
      const formatMebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);
      process.stdout.write(
        `${kind}: ${formatMebibytes(first)} to ${formatMebibytes(last)} MiB resident, ${growth.toFixed(1)} bytes a request\n`,
      );
      expect(growth).toBeLessThan(maxGrowthBytes);
    },
  );
});
