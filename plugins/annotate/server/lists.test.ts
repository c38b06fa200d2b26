import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocationRow } from '#core';
import { enabledPlugin, LocationStore, type Database } from '#core/server';
import { describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import { listAnnotations, listMeasurements, listSnapshots } from '../contract/api.ts';
import manifest from '../plugin.ts';
import annotate from './index.ts';

const locationRow = (uid: string, parent: string | null): LocationRow => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType: parent === null ? 'PRIMARY_LOCATION' : 'LOC_LEVEL',
});
const lists = { annotation: listAnnotations, measurement: listMeasurements, snapshot: listSnapshots } as const;
type Thing = keyof typeof lists;
const things = Object.keys(lists) as readonly Thing[];

const ownColumns: Readonly<Record<Thing, string>> = {
  annotation: `kind, text, temperature, status, points`,
  measurement: `kind, points, result, unit`,
  snapshot: `text, tag, marks, picture`,
};
const ownValues: Readonly<Record<Thing, string>> = {
  annotation: `'TEXT_LABEL', '', null, 'OPEN', '[]'`,
  measurement: `'CORDINATES', '[]', '{"value":null,"sigma":null,"details":{}}', 'm'`,
  snapshot: `'', null, '[]', gen_random_uuid()::text`,
};

/** Rows of many authors at the location, some created in the same millisecond, and as many private ones. */
async function addRows(database: Database, thing: Thing, location: string, count: number): Promise<void> {
  for (const shared of [true, false])
    await database.query(
      `insert into annotate.${thing} (uid, location, tour, node, name, view, shared, author, author_name, created_at,
         updated_at, version, ${ownColumns[thing]})
       select gen_random_uuid(), $1, 'T1', null, 'row ' || n, null, $3, 'author ' || n % 7, 'Author',
         timestamptz '2026-11-20T09:00:00Z' + (n / 3) * interval '1 millisecond', now(), 1, ${ownValues[thing]}
       from generate_series(1, $2::int) as n`,
      [location, count, shared],
    );
  if (thing === 'annotation')
    await database.query(
      `insert into annotate.annotation_comment (uid, annotation, text, author, author_name, created_at)
       select gen_random_uuid(), uid, 'Seen', 'author 1', 'Author', now() from annotate.annotation where location = $1`,
      [location],
    );
}

describeOnDatabases('lists', (kind) => {
  let server: TestServer;
  let token: string;
  let counter: QueryCounter;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins: [enabledPlugin(manifest, {}, annotate)] });
    counter = new QueryCounter(server.server.database);
    await server
      .service(LocationStore)
      .upsert(['site', 'few', 'some', 'many'].map((uid) => locationRow(uid, uid === 'site' ? null : 'site')));
    for (const thing of things) {
      await addRows(server.server.database, thing, 'few', 10);
      await addRows(server.server.database, thing, 'some', 190);
      await addRows(server.server.database, thing, 'many', 300);
    }
    token = await server.signIn();
  });
  afterAll(() => server.close());

  const page = async (thing: Thing, location: string, after?: string) =>
    (
      await server.call(lists[thing], {
        params: { location },
        query: after === undefined ? {} : { after },
        token,
      })
    ).body;

  it.each(things)('[TOUR-22] lists each shared %s once, in pages with the total', async (thing) => {
    const rows: { readonly uid: string; readonly createdAt: string; readonly shared: boolean }[] = [];
    const sizes: number[] = [];
    for (let after: string | undefined | null; after !== null;) {
      const { rows: found, total, next } = await page(thing, 'site', after);
      expect(total).toBe(500);
      sizes.push(found.length);
      rows.push(...found);
      after = next;
    }
    expect(sizes).toEqual([200, 200, 100]);
    expect(new Set(rows.map(({ uid }) => uid)).size).toBe(500);
    expect(rows.every(({ shared }) => shared)).toBe(true);
    const order = rows.map(({ createdAt }) => createdAt);
    expect(order).toEqual(order.toSorted().toReversed());
    expect(await page(thing, 'few')).toMatchObject({ total: 10, next: null });
  });

  it.each(things)('[TOUR-22] takes the same number of queries for 10 and for 300 rows of a %s', async (thing) => {
    await page(thing, 'few');
    const [few, many] = [
      await counter.record(() => page(thing, 'few')),
      await counter.record(() => page(thing, 'many')),
    ];
    const expected = thing === 'annotation' ? 4 : 3;
    expect([few, many].map(({ statements }) => statements.length)).toEqual([expected, expected]);
  });

  it.each(['refuses the cursor %j', '2026-11-20', ''])('refuse the cursor %j', async (instant) => {
    const after = `${instant}_00000000-0000-4000-8000-000000000001`;
    const answer = await server.call(listAnnotations, { params: { location: 'few' }, query: { after }, token });
    expect(answer.status).toBe(400);
  });
});
