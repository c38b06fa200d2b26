import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TSchema } from 'typebox';
import { accessFlags } from '#core';
import type { LocationUse } from '#core/api';
import {
  countStatements,
  describeOnDatabases,
  QueryCounter,
  startTestServer,
  type TestServer,
} from '#core/testing/server';
import type { AccessTables } from '../../core/server/access/access-tables.ts';
import type { Route } from '../../core/server/kernel/route-table.ts';
import { fillPath } from '../../core/testing/server/test-calls.ts';
import { createFixedClock } from '../../core/testing/test-clock.ts';
import { loadAllPlugins } from './all-plugins.ts';
import { documentUid, tagUid } from '../../plugins/tour/testing/server/tour-rows.ts';
import {
  firstAccessRequest,
  firstDocument,
  firstImport,
  firstNode,
  firstTag,
  insertListRows,
  listedPerson,
  listedRole,
  mainUnit,
  sharedCode,
} from './list-rows.ts';

interface List {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The largest number of inserted rows that a reply contains. */
  readonly count: (reply: never) => number;
  /** All inserted rows by default. */
  readonly maxRows?: number;
}

const countRows = (reply: readonly unknown[]): number => reply.length;
const atUnit = { params: { location: mainUnit } };
const rowsOfPage: List = {
  ...atUnit,
  count: ({ rows }: { readonly rows: readonly unknown[] }) => rows.length,
  maxRows: 200,
};

/** All endpoints that list rows. An endpoint belongs here or in `exempt`. */
const lists: Readonly<Record<string, List>> = {
  'GET /api/locations': {
    count: (rows: readonly { readonly parent: string | null }[]) => rows.filter((row) => row.parent === null).length,
  },
  'GET /api/locations/:location/use': {
    ...atUnit,
    count: ({ contents }: LocationUse) =>
      contents.find(({ message }) => message === 'tour.contents.documents')?.count ?? 0,
  },
  'GET /api/me': {
    count: (me: { readonly access: { readonly locations: readonly string[] } }) => me.access.locations.length,
  },
  'GET /api/imports': rowsOfPage,
  'GET /api/imports/:batch/rows': { ...rowsOfPage, params: { batch: firstImport } },
  'GET /api/imports/:batch/problems': { ...rowsOfPage, params: { batch: firstImport } },
  'GET /api/content-checks/:location/:check': {
    params: { location: mainUnit, check: 'tour.viewpointWithoutLink' },
    query: { limit: '500' },
    count: ({ rows }: { readonly rows: readonly { readonly subject: string }[] }) =>
      rows.filter(({ subject }) => !subject.startsWith('shared')).length,
  },
  'GET /api/location-pictures': { count: countRows },
  'GET /api/master-data': { query: { type: 'TYPE_OF_WORK' }, count: rowsOfPage.count, maxRows: 200 },
  'GET /api/expense': { count: rowsOfPage.count, maxRows: 200 },
  'GET /api/media/items': {
    query: { limit: '200' },
    count: ({ rows }: { readonly rows: readonly unknown[] }) => rows.length,
    maxRows: 200,
  },
  'GET /api/media/contacts': {
    query: { limit: '200' },
    count: ({ rows }: { readonly rows: readonly unknown[] }) => rows.length,
    maxRows: 200,
  },
  'GET /api/media/notices': {
    query: { limit: '200' },
    count: ({ rows }: { readonly rows: readonly unknown[] }) => rows.length,
    maxRows: 200,
  },
  'GET /api/media/shown-notices': {
    count: ({ notices }: { readonly notices: readonly unknown[] }) => notices.length,
    maxRows: 50,
  },
  'GET /api/masters/types/:type': { params: { type: 'TYPE_OF_WORK' }, count: countRows },
  'GET /api/feedback/:location/form': {
    ...atUnit,
    count: ({ questions }: { readonly questions: readonly { readonly choices: readonly unknown[] }[] }) =>
      questions[0]?.choices.length ?? 0,
  },
  'GET /api/tour/:location': {
    ...atUnit,
    count: ({ nodes }: { readonly nodes: readonly { readonly captures: readonly unknown[] }[] }) =>
      nodes.filter(({ captures }) => captures.length > 0).length,
  },
  'GET /api/tour/:location/nodes/:node/tags': { params: { location: mainUnit, node: firstNode }, count: countRows },
  'GET /api/tour/:location/tags/:number': {
    params: { location: mainUnit, number: firstTag },
    count: ({
      seenFrom,
      documents,
    }: {
      readonly seenFrom: readonly unknown[];
      readonly documents: readonly unknown[];
    }) => Math.min(seenFrom.length, documents.length),
  },
  'GET /api/tour/:location/documents/:code': {
    params: { location: mainUnit, code: firstDocument },
    count: ({ tags }: { readonly tags: readonly unknown[] }) => tags.length,
  },
  'GET /api/tour/:location/tags': { ...atUnit, query: { text: 'TAG' }, count: countRows, maxRows: 50 },
  'GET /api/tour/:location/visited': { ...atUnit, count: countRows },
  'GET /api/tour/:location/panoramas': {
    ...atUnit,
    count: (nodes: readonly { readonly incoming: readonly unknown[] }[]) =>
      nodes.filter(({ incoming }) => incoming.length > 0).length,
  },
  'GET /api/tour-content/:location': {
    ...atUnit,
    count: ({ nodes }: { readonly nodes: readonly { readonly location: string }[] }) =>
      nodes.filter(({ location }) => location.startsWith('deck-')).length,
  },
  'GET /api/audit': {
    query: { text: 'test.listed', limit: '1000' },
    count: ({ rows }: { readonly rows: readonly unknown[] }) => rows.length,
  },
  'GET /api/people': { ...rowsOfPage, params: {}, query: { text: 'listed-', limit: '200' } },
  'GET /api/people-choices': {
    count: ({ masters }: { readonly masters: readonly { readonly type: string }[] }) =>
      masters.filter(({ type }) => type === 'SECTION').length,
  },
  'GET /api/roles': { ...rowsOfPage, query: { text: 'listed', limit: '200' } },
  'GET /api/roles/:role': {
    params: { role: listedRole },
    count: ({ locations }: { readonly locations: readonly unknown[] }) => locations.length,
  },
  'GET /api/group-roles': { ...rowsOfPage, query: { limit: '200' } },
  'GET /api/group-role-choices': {
    count: ({ roles }: { readonly roles: readonly { readonly uid: string }[] }) =>
      roles.filter(({ uid }) => uid.startsWith('listed-')).length,
  },
  'GET /api/access-requests': { ...rowsOfPage, query: { status: 'OPEN', limit: '200' } },
  'GET /api/access-requests/:request/roles': {
    params: { request: firstAccessRequest },
    count: (roles: readonly { readonly uid: string }[]) => roles.filter(({ uid }) => uid.startsWith('listed-')).length,
    maxRows: 200,
  },
  'GET /api/access-control/explanation': {
    query: { account: listedPerson, feature: 'vrAccess' },
    count: ({ roles }: { readonly roles: readonly unknown[] }) => roles.length,
  },
  'GET /api/tag-content/:location': { ...rowsOfPage, query: { text: 'TAG' } },
  'GET /api/tag-content/:location/tags/:tag': {
    params: { location: mainUnit, tag: tagUid(firstTag) },
    count: ({
      seenFrom,
      linkedDocuments,
    }: {
      readonly seenFrom: readonly unknown[];
      readonly linkedDocuments: readonly unknown[];
    }) => Math.min(seenFrom.length, linkedDocuments.length),
  },
  'GET /api/document-content/:location': rowsOfPage,
  'GET /api/document-content/:location/documents/:document': {
    params: { location: mainUnit, document: documentUid(firstDocument) },
    count: ({ linkedTags }: { readonly linkedTags: readonly unknown[] }) => linkedTags.length,
  },
  'GET /api/tour-locations': {
    count: (uids: readonly string[]) => uids.filter((uid) => uid.startsWith('unit-')).length,
  },
  'GET /api/tour-nodes': { query: { code: sharedCode }, count: countRows },
  'GET /api/tour-tags': { query: { number: sharedCode }, count: countRows },
  'GET /api/vr/:location/markers': { ...atUnit, count: countRows },
  'GET /api/annotate/:location/measurements': rowsOfPage,
  'GET /api/annotate/:location/annotations': {
    ...rowsOfPage,
    count: ({ rows }: { readonly rows: readonly { readonly comments: readonly unknown[] }[] }) =>
      rows.filter(({ comments }) => comments.length > 0).length,
  },
  'GET /api/annotate/:location/snapshots': rowsOfPage,
  'GET /api/model-3d/:location/models': { ...atUnit, count: countRows },
  'GET /api/model-3d/:location/managed-models': { ...atUnit, count: countRows },
  'GET /api/model-3d/:location/mappings': { ...atUnit, count: countRows },
  'GET /api/model-3d/:location/objects': {
    ...atUnit,
    query: { state: 'MAPPED', text: 'plant', limit: '200' },
    count: ({ objects }: { readonly objects: readonly unknown[] }) => objects.length,
    maxRows: 200,
  },
  'GET /api/scan/:location': {
    ...atUnit,
    count: ({ stations }: { readonly stations: readonly { readonly node: string | null }[] }) =>
      stations.filter(({ node }) => node !== null).length,
  },
  'GET /api/scan/:location/clouds': { ...atUnit, count: countRows },
  'GET /api/scan/:location/content': {
    ...atUnit,
    count: (content: {
      readonly deliveries: readonly { readonly files: readonly unknown[] }[];
      readonly stations: readonly { readonly node: unknown }[];
    }) =>
      Math.min(
        content.deliveries.filter(({ files }) => files.length > 0).length,
        content.stations.filter(({ node }) => node !== null).length,
      ),
  },
};

/** Lists that are not measured, with the reasons. */
const exempt: Readonly<Record<string, string>> = {
  'GET /api/tag-content/:location/tags/:tag/views':
    'lists at most 50 viewpoints near a place, and reads at most 10 files',
  'GET /api/set-up': 'the steps are those of the product',
  'GET /auth/api/user/type': 'the user types are constants',
  'GET /api/site-exports': 'exports of the caller in the last week',
  'GET /api/site-imports': 'imports of the caller in the last week',
  'GET /api/imports/kinds': 'the kinds are those of the product',
  'GET /api/imports/kinds/:kind/following': 'the kinds are those of the product',
  'GET /api/imports/:batch': 'the sheets and columns are those of the kind',
  'GET /api/masters/types': 'the types are those of the contract',
  'GET /api/master-types': 'the types are those of the contract',
  'GET /api/master-data/:master': 'the uses are those that plugins register',
  'GET /api/tour/:location/ranges': 'one row by tour, whatever the number of its nodes',
  'GET /api/tour-content/:location/tours/:tour/link-proposals': 'computed from the nodes and links of one tour',
  'GET /api/tour-content/:location/nodes/:node/alignment': 'the ties of one viewpoint, at most 100',
  'GET /api/model-3d/:location/models/:model/tag-rules': 'one record of one model, with at most 20 rules and 500 paths',
  'GET /api/content-checks/:location': 'one row by check, whatever the number of its findings',
  'GET /api/people/:person': 'the roles of one person, at most 50',
  'GET /api/me/sessions': 'the last sessions of one person, at most 100',
  'GET /api/scan/:location/clouds/:uid/viewpoints':
    'computed from the stations of one delivery and the nodes of one tour',
  'GET /api/me/access-requests': 'the latest 50 requests of the person, whatever the number of others',
  'GET /api/access-control/people': 'at most 20 people, whatever the number of others',
  'GET /api/media/locations/:location/backgrounds': 'at most five by screen',
  'GET /api/media/login-backgrounds': 'at most five',
  'GET /api/settings': 'the variables of the server and one row by key of the plugins',
  'GET /auth/pub/sign-in-content': 'at most five backgrounds and notices, and the contacts that admins chose for it',
};

const { plugins, bridges } = await loadAllPlugins({ scan: { token: true } });
const getName = ({ endpoint }: Route): string => `${endpoint.method} ${endpoint.path}`;

interface Shape {
  readonly type?: string;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
}

/** Whether a reply contains an array of anything but numbers. Arrays of numbers are points. */
function containsRows(schema: TSchema): boolean {
  const { type, items, anyOf = [], properties = {}, patternProperties = {} } = schema as Shape;
  if (type === 'array') return (items as Shape | undefined)?.type !== 'number';
  return [...anyOf, ...Object.values(properties), ...Object.values(patternProperties)].some(containsRows);
}

interface Measurement {
  readonly rows: number;
  /** SQL statements of a call with cold caches, and of the same call with warm caches. */
  readonly cold: readonly string[];
  readonly warm: readonly string[];
}

describeOnDatabases('list endpoints', (kind) => {
  const sizes = [10, 300] as const;
  const clock = createFixedClock();
  const measurements = new Map<number, ReadonlyMap<string, Measurement>>();
  let server: TestServer;

  async function measure(counter: QueryCounter, size: number, from: number): Promise<ReadonlyMap<string, Measurement>> {
    const sites = Array.from({ length: size }, (_, number) => `site-${number}`);
    const person = await server.addPerson({ username: `of-${size}@example.test`, flags: accessFlags });
    await insertListRows(server, person.uid, from, size);
    const tables = server.database.of<AccessTables>('core');
    await tables.updateTable('role').set({ all_locations: false }).where('uid', '=', person.role).execute();
    await tables
      .insertInto('role_location')
      .values(sites.map((location) => ({ role: person.role, location })))
      .execute();
    // All cached values expire.
    clock.advance(3_600_000);
    const token = await server.signIn(person);
    const call = async (name: string, { params, query }: List) => {
      const url = `${fillPath(name.slice('GET '.length), params)}?${new URLSearchParams(query).toString()}`;
      const { result, statements } = await counter.record(() =>
        server.app.inject({ url, headers: { authorization: `Bearer ${token}` } }),
      );
      expect([name, result.statusCode, result.statusCode === 200 ? '' : result.body]).toEqual([name, 200, '']);
      return { reply: result.json<never>(), statements };
    };
    await call('GET /api/me', lists['GET /api/me']!);
    const results = new Map<string, Measurement>();
    for (const [name, list] of Object.entries(lists)) {
      const { reply, statements: cold } = await call(name, list);
      const { statements: warm } = await call(name, list);
      results.set(name, { rows: list.count(reply), cold, warm });
    }
    return results;
  }

  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins, bridges, clock });
    const counter = new QueryCounter(server.database);
    let from = 0;
    for (const size of sizes) {
      measurements.set(size, await measure(counter, size, from));
      from = size;
    }
  });
  afterAll(() => server.close());

  it('are all measured or exempt with a reason', () => {
    const results = server.server.routes.flatMap((route) =>
      route.kind === 'json' && route.endpoint.method === 'GET' && containsRows(route.endpoint.reply)
        ? getName(route)
        : [],
    );
    expect(results.toSorted()).toEqual([...Object.keys(lists), ...Object.keys(exempt)].toSorted());
  });

  describe.each(Object.entries(lists))('%s', (name, { maxRows = Infinity }) => {
    it('sends the same number of statements for 300 rows as for 10', () => {
      const [few, many] = sizes.map((size) => measurements.get(size)!.get(name)!) as [Measurement, Measurement];
      expect(few.cold.length).toBeGreaterThan(0);
      expect([few.rows, many.rows]).toEqual(sizes.map((size) => Math.min(size, maxRows)));
      for (const caches of ['cold', 'warm'] as const)
        expect(
          many[caches].length,
          `With ${caches} caches:\n${countStatements(many[caches]).slice(0, 5).join('\n')}`,
        ).toBe(few[caches].length);
    });
  });
});
