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
type ItemType = keyof typeof lists;
const itemTypes = Object.keys(lists) as readonly ItemType[];

const ownColumns: Readonly<Record<ItemType, string>> = {
  annotation: `kind, text, temperature, status, points`,
  measurement: `kind, points, result, unit`,
  snapshot: `text, tag, marks, picture`,
};
const ownValues: Readonly<Record<ItemType, string>> = {
  annotation: `'TEXT_LABEL', '', null, 'OPEN', '[]'`,
  measurement: `'CORDINATES', '[]', '{"value":null,"sigma":null,"details":{}}', 'm'`,
  snapshot: `'', null, '[]', gen_random_uuid()::text`,
};

/** Inserts shared rows of many authors, some with the same creation time, and the same number of private rows. */
async function addRows(database: Database, itemType: ItemType, location: string, count: number): Promise<void> {
  for (const shared of [true, false])
    await database.query(
      `insert into annotate.${itemType} (uid, location, tour, node, name, view, shared, author, author_name, created_at,
         updated_at, version, ${ownColumns[itemType]})
       select gen_random_uuid(), $1, 'T1', null, 'row ' || n, null, $3, 'author ' || n % 7, 'Author',
         timestamptz '2026-11-20T09:00:00Z' + (n / 3) * interval '1 millisecond', now(), 1, ${ownValues[itemType]}
       from generate_series(1, $2::int) as n`,
      [location, count, shared],
    );
  if (itemType === 'annotation')
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
    counter = new QueryCounter(server.database);
    await server
      .service(LocationStore)
      .upsert(['site', 'few', 'some', 'many'].map((uid) => locationRow(uid, uid === 'site' ? null : 'site')));
    for (const itemType of itemTypes) {
      await addRows(server.database, itemType, 'few', 10);
      await addRows(server.database, itemType, 'some', 190);
      await addRows(server.database, itemType, 'many', 300);
    }
    token = await server.signIn();
  });
  afterAll(() => server.close());

  const loadPage = async (itemType: ItemType, location: string, after?: string) =>
    (
      await server.call(lists[itemType], {
        params: { location },
        query: after === undefined ? {} : { after },
        token,
      })
    ).body;

  it.each(itemTypes)('[TOUR-22] lists each shared %s once, in pages with the total', async (itemType) => {
    const rows: { readonly uid: string; readonly createdAt: string; readonly shared: boolean }[] = [];
    const sizes: number[] = [];
    for (let after: string | undefined | null; after !== null;) {
      const { rows: pageRows, total, next } = await loadPage(itemType, 'site', after);
      expect(total).toBe(500);
      sizes.push(pageRows.length);
      rows.push(...pageRows);
      after = next;
    }
    expect(sizes).toEqual([200, 200, 100]);
    expect(new Set(rows.map(({ uid }) => uid)).size).toBe(500);
    expect(rows.every(({ shared }) => shared)).toBe(true);
    const order = rows.map(({ createdAt }) => createdAt);
    expect(order).toEqual(order.toSorted().toReversed());
    expect(await loadPage(itemType, 'few')).toMatchObject({ total: 10, next: null });
  });

  it.each(itemTypes)(
    '[TOUR-22] needs the same number of queries for 10 and for 300 rows of type %s',
    async (itemType) => {
      await loadPage(itemType, 'few');
      const [few, many] = [
        await counter.record(() => loadPage(itemType, 'few')),
        await counter.record(() => loadPage(itemType, 'many')),
      ];
      const expected = itemType === 'annotation' ? 4 : 3;
      expect([few, many].map(({ statements }) => statements.length)).toEqual([expected, expected]);
    },
  );

  it.each(['2026-13-40T09:00:00.000Z', '2026-11-20', ''])(
    'refuse a cursor with the invalid instant %j',
    async (instant) => {
      const after = `${instant}_00000000-0000-4000-8000-000000000001`;
      const reply = await server.call(listAnnotations, { params: { location: 'few' }, query: { after }, token });
      expect(reply.status).toBe(400);
    },
  );
});
