import { randomUUID } from 'node:crypto';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessFlags, tokenTransportHeader, type Endpoint } from '#core';
import type { FullDemoPlant } from '../../cli/demo/full-demo-plant.ts';
import {
  changePassword,
  createGroupRole,
  createRole,
  logout,
  requestReset,
  sendAccessRequest,
  startSignOn,
} from '#core/api';
import {
  describeOnDatabases,
  soakCount,
  startTestServer,
  type TestPerson,
  type TestServer,
  login,
} from '#core/testing/server';
import { startIdentityProvider, type TestIdentityProvider } from '../../core/testing/identity-provider.ts';
import { putAnnotation } from '#plugins/annotate/api';
import { createLog } from '../../core/server/kernel/server-log.ts';
import { loadAllPlugins } from '../architecture/all-plugins.ts';
import { findFault, send, type Answer } from './answers.ts';
import type { FormContent } from './forms.ts';
import { buildFuzzPlant, buildEmptyModel, sites } from './fuzz-plant.ts';
import { KnownRows } from './known-rows.ts';
import { getRouteName, generateRequests, type FuzzRequest } from './requests.ts';
import type { Meanings } from './schema-values.ts';
import { SuccessCounter } from './success-counter.ts';

const count = soakCount(150, 10_000);
/** Each soak run uses a new seed. The environment variable sets the seed, to reproduce a failure. */
const seed = Number(process.env['WALKDOWN_FUZZ_SEED'] ?? soakCount(9, Date.now() % 2 ** 31));
const parallelCalls = 4;
const timeout = { timeout: soakCount(75_000, 3_600_000) };
const [homeSite, otherSite] = sites;
const { plugins, bridges } = await loadAllPlugins();

const corner = { point: [1, 2, 3] as const, sigma: null, source: 'MODEL' as const, edge: false };

interface Caller {
  readonly title: string;
  readonly person: TestPerson | undefined;
  readonly site: string | undefined;
  readonly token: string | undefined;
  /** Token of another session for logout calls, which end it. */
  logoutToken: string | undefined;
}

interface LogLine {
  readonly request?: string;
  readonly msg: string;
  readonly err?: { readonly message: string; readonly stack?: string };
}

/**
 * Sends requests to all endpoints of all plugins. They are generated from the schemas, with valid values, boundary
 * values and one hostile part at a time. Fails on 5xx, missing responses and leaked implementation details.
 */
describeOnDatabases('valid and hostile requests to all endpoints', (kind) => {
  let folder: string;
  let plant: FullDemoPlant;
  let server: TestServer;
  let base: string;
  let rows: KnownRows;
  let meanings: Meanings;
  let cookies: Readonly<Record<string, string>>;
  let provider: TestIdentityProvider;
  let forms: Readonly<Record<string, FormContent>>;
  const errorLines = new Map<string, LogLine>();
  const callers: Caller[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-fuzz-'));
    plant = await buildFuzzPlant(folder);
    provider = await startIdentityProvider('http://127.0.0.1/dashboard/return');
    const logStream = new Writable({
      write: (line: Buffer, _encoding, callback) => {
        const entry = JSON.parse(line.toString()) as LogLine;
        if (entry.request !== undefined && entry.err !== undefined) errorLines.set(entry.request, entry);
        callback();
      },
    });
    server = await startTestServer({
      database: kind,
      plugins,
      bridges,
      log: createLog('warn', logStream),
      config: {
        session: { accessTokenLifetimeMs: 24 * 60 * 60_000 },
        signOn: { first: provider.configuration, second: provider.configuration },
      },
    });
    base = await server.url();
    await server.server.seed(plant);
    const people = await Promise.all(Array.from({ length: 8 }, () => server.addPerson({ locations: [homeSite] })));
    const person = (flags: 'all' | readonly [], locations: 'ALL' | readonly string[], userType?: 'TENANT_ADMIN') =>
      server.addPerson({ flags, locations, ...(userType ? { userType } : {}) });
    const add = async (title: string, site: string | undefined, who?: Promise<TestPerson>): Promise<void> => {
      const testPerson = await who;
      callers.push({
        title,
        site,
        person: testPerson,
        token: testPerson && (await server.signIn(testPerson)),
        logoutToken: testPerson && (await server.signIn()),
      });
    };
    await add('nobody', undefined);
    await add('a TENANT_USER without flags', homeSite, person([], [homeSite]));
    await add('a TENANT_USER with all flags', homeSite, person('all', [homeSite]));
    await add('a TENANT_ADMIN', undefined, person('all', 'ALL', 'TENANT_ADMIN'));
    await add('a person of another site', otherSite, person('all', [otherSite]));
    for (const location of ['site-deck', 'other-deck']) {
      const commonFields = { name: 'One', tour: 'T1', node: null, view: null, shared: true, version: 0 };
      const { status } = await server.call(putAnnotation, {
        params: { location, uid: randomUUID() },
        body: { ...commonFields, kind: 'TEXT_LABEL', text: 'One', temperature: null, status: 'OPEN', points: [corner] },
        token: callers[3]!.token,
      });
      expect(status).toBe(200);
    }
    for (const uid of ['fuzz-1', 'fuzz-2', 'fuzz-3'])
      await server.call(createRole, {
        body: { uid, name: uid, flags: ['vrAccess'], allLocations: false, locations: [] },
        token: callers[3]!.token,
      });
    await server.call(createGroupRole, {
      body: { uid: randomUUID(), provider: 'first', group: 'fuzz', role: 'fuzz-1' },
      token: callers[3]!.token,
    });
    const asking = await server.signIn();
    for (const feature of accessFlags)
      await server.call(sendAccessRequest, { body: { feature, location: null, reason: 'Work' }, token: asking });
    rows = await KnownRows.read(
      server,
      callers[3]!.token!,
      plant.locations.map(({ uid }) => uid),
    );
    const [{ password }] = people as [TestPerson];
    const sessions = await Promise.all(
      people.map(
        async ({ username }) =>
          (await server.call(login, { body: { username, password }, headers: { [tokenTransportHeader]: 'json' } })).body
            .refreshToken,
      ),
    );
    const [{ username }] = people as [TestPerson];
    cookies = {
      'GET /auth/pub/azure/token': parseCookies(
        (await server.call(startSignOn, { query: { provider: 'first' } })).headers,
      ),
      'POST /auth/api/user/activate': parseCookies((await server.call(requestReset, { query: { username } })).headers),
      'POST /auth/api/user/reset/password': parseCookies(
        (await server.call(requestReset, { query: { username } })).headers,
      ),
      'GET /api/files/:id': parseCookies((await server.call(login, { body: { username, password } })).headers),
    };
    meanings = {
      id: rows.files,
      '*': ['preview.jpg', '0/0_0.jpg', 'tileset.json', 'range/0_0.webp'],
      username: people.map(({ username: name }) => name),
      password: [password],
      current: [password],
      next: [password],
      account: people.map(({ uid }) => uid),
      role: ['fuzz-1'],
      reason: ['Work'],
      // Codes for new roles and locations. Random codes would be refused.
      uid: Array.from({ length: 20 }, (_, index) => `new-${index}`),
      name: Array.from({ length: 20 }, (_, index) => `Name ${index}`),
      roles: [people[0]!.role],
      refreshToken: sessions,
      tour: plant.tours.map(({ code }) => code),
      node: rows.listTexts('node'),
      target: [...plant.tags.map(({ tag }) => tag), null],
      tag: plant.tags.map(({ tag }) => tag),
      number: [...plant.tags.map(({ tag }) => tag), ...plant.lines.map(({ number }) => number)],
      text: ['V-1', 'valve'],
      typeOfWork: rows.listTexts('uid'),
      activity: rows.listTexts('uid'),
      version: [0, 1],
      file: [null],
      location: rows.locations,
      line: [null],
      pipe: [null],
      status: ['A1'],
      issuedOn: ['2026-03-02'],
      code: ['N1', 'N-new', 'V-101'],
      capturedAt: ['2026-03-02T10:00:00Z'],
    };
    forms = await buildForms(plant);
  });
  afterAll(async () => {
    await server.close();
    await provider.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Restores the password that all test people share, because later requests need it. */
  async function restorePassword({ person, token }: Caller, { body }: FuzzRequest): Promise<void> {
    const { next } = JSON.parse(body?.toString() ?? '') as { readonly next: string };
    if (!person || next === person.password) return;
    await server.call(changePassword, { body: { current: next, next: person.password }, token });
  }

  const titles = [
    'nobody',
    'a TENANT_USER without flags',
    'a TENANT_USER with all flags',
    'a TENANT_ADMIN',
    'a person of another site',
  ];
  it.each(titles.map((title, index) => [title, index] as const))(
    `[SEC-06] of %s get responses without 5xx and leaked details (${count} requests, seed ${seed})`,
    timeout,
    async (title, index) => {
      const caller = callers[index]!;
      expect(caller.title).toBe(title);
      const arbitrary = generateRequests(server.server.routes, { rows, meanings, cookies, forms, site: caller.site });
      const requests = fc.sample(arbitrary, { seed: seed + index, numRuns: count });
      // Each caller has its own agent, because generating requests can outlast the server's keep-alive timeout.
      const agent = new http.Agent({ keepAlive: true, maxSockets: parallelCalls });
      const failures: string[] = [];
      const successCounter = new SuccessCounter();
      let next = 0;
      const work = async (): Promise<void> => {
        for (let at = next++; at < requests.length; at = next++) {
          const request = requests[at]!;
          const isLogout = request.endpoint === getEndpointName(logout);
          const token = isLogout ? caller.logoutToken : caller.token;
          const answer = await send(agent, base, request, {
            ...(token === undefined || 'authorization' in request.headers ? {} : { authorization: `Bearer ${token}` }),
          });
          successCounter.count(request, answer);
          const entry = errorLines.get(answer.requestId);
          // A database error means that a validation is missing, even if the status is 400.
          const fault = findFault(request, answer) ?? (entry ? `The server logged an error: ${entry.msg}` : undefined);
          if (fault !== undefined && failures.length < 40)
            failures.push(describeFailure(fault, request, answer, entry));
          if (answer.status === 200 && request.endpoint === getEndpointName(changePassword))
            await restorePassword(caller, request);
          if (isLogout && answer.status === 200 && caller.person) caller.logoutToken = await server.signIn();
        }
      };
      await Promise.all(Array.from({ length: parallelCalls }, work));
      agent.destroy();
      process.stdout.write(
        `Fuzz (${kind}, seed ${seed}), ${requests.length} requests by ${title}: ${successCounter.formatSummary()}\n`,
      );
      expect(failures.join('\n\n'), `seed ${seed}`).toBe('');
      if (title !== 'a TENANT_ADMIN') return;
      expect(successCounter.successFraction).toBeGreaterThan(0.5);
      // Not all endpoints are reached by few requests, or after an earlier caller deleted their only row.
      if (count >= 1000)
        expect(successCounter.listUnreached(server.server.routes.map(getRouteName)).length).toBeLessThan(6);
    },
  );
});

const getEndpointName = ({ method, path: at }: Endpoint): string => `${method} ${at}`;

const parseCookies = (headers: Awaited<ReturnType<TestServer['call']>>['headers']): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((field) => String(field).split(';')[0])
    .join('; ');

/** Returns the valid form content of each endpoint that accepts files. */
async function buildForms(plant: FullDemoPlant): Promise<Readonly<Record<string, FormContent>>> {
  const picture = await readFile(plant.nodes[0]!.thumbnail.path);
  const panorama = await readFile(plant.nodes[0]!.panorama.path);
  const buildFileForm = (name: string, bytes: Buffer) => fc.constant([{ field: 'file', name, bytes }]);
  const metres = fc.integer({ min: -1000, max: 1000 });
  const pose = fc.record({
    position: fc.tuple(metres, metres, metres),
    heading: fc.integer({ min: -360, max: 360 }),
  });
  const json = pose.map((value) => JSON.stringify(value));
  return {
    'PUT /api/annotate/:location/snapshots/:uid/picture': {
      files: fc.constant([
        { field: 'picture', name: 'picture.jpg', bytes: picture },
        { field: 'thumbnail', name: 'thumbnail.jpg', bytes: picture },
      ]),
      fields: fc.constant({}),
    },
    'POST /api/imports/:batch/files': {
      files: buildFileForm('masters.csv', Buffer.from('Type,Name,Status\nACTIVITY,Lifting,Active\n')),
      fields: fc.constant({}),
    },
    'POST /api/site-imports/:import': {
      files: buildFileForm('site.zip', Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)])),
      fields: fc.constant({}),
    },
    'POST /api/location-pictures/:location/images/:kind': {
      files: buildFileForm('photo.jpg', picture),
      fields: fc.constant({}),
    },
    'POST /api/media/locations/:location/backgrounds/:kind/images': {
      files: buildFileForm('photo.jpg', picture),
      fields: fc.constant({}),
    },
    'POST /api/media/items/:item/file': { files: buildFileForm('photo.jpg', picture), fields: fc.constant({}) },
    'POST /api/media/items/:item/captions': {
      files: buildFileForm('captions.vtt', Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n')),
      fields: fc.constant({}),
    },
    'POST /api/media/login-backgrounds/images': {
      files: buildFileForm('photo.jpg', picture),
      fields: fc.constant({}),
    },
    'POST /api/tour-content/:location/decks/:deck/plan': {
      files: buildFileForm('plan.jpg', picture),
      fields: fc.constant({}),
    },
    'POST /api/document-content/:location/documents/:document/revisions': {
      files: buildFileForm('sheet.jpg', picture),
      fields: fc.constant({}),
    },
    'POST /api/vr/:location/documents': { files: buildFileForm('photo.jpg', picture), fields: fc.constant({}) },
    'POST /api/model-3d/:location/models': {
      files: buildFileForm('model.glb', buildEmptyModel()),
      fields: fc.record(
        { name: fc.string({ maxLength: 200 }), pose: json },
        { requiredKeys: [], noNullPrototype: true },
      ),
    },
    'POST /api/scan/:location/clouds': {
      files: buildFileForm('cloud.las', Buffer.from('LASF, and nothing more')),
      fields: fc.record(
        { place: json, stations: fc.constantFrom('true', 'false') },
        { requiredKeys: [], noNullPrototype: true },
      ),
    },
    'POST /api/tour/:location/panoramas': {
      files: fc.constantFrom('N1', 'N2', 'N3').map((node) => [{ field: 'file', name: `${node}.jpg`, bytes: panorama }]),
      fields: fc.constant({}),
    },
  };
}

function describeFailure(fault: string, request: FuzzRequest, answer: Answer, entry: LogLine | undefined): string {
  const truncate = (text: string): string => (text.length > 600 ? `${text.slice(0, 600)}... (${text.length})` : text);
  return [
    `${request.endpoint}, hostile: ${request.hostile}. ${fault}`,
    `${request.method} ${truncate(request.url)}`,
    `headers ${truncate(JSON.stringify(request.headers))}`,
    `body ${truncate(JSON.stringify(request.body?.toString('latin1') ?? null))}`,
    `answer ${answer.status} ${truncate(answer.body)}`,
    ...(entry
      ? [`log ${entry.msg} ${entry.err?.message ?? ''} ${entry.err?.stack?.split('\n').slice(0, 12).join('\n') ?? ''}`]
      : []),
  ].join('\n');
}
