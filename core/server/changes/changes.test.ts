import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LocationRow, LocationType } from '#core';
import { deleteLocation, undoChange } from '#core/api';
import { describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '../../testing/server.ts';
import { LocationStore } from '../access/location-store.ts';
import { noAccess } from '../kernel/server-error.ts';
import type { AuditTables } from '../audit/audit-log.ts';
import { ChangeJournal } from './change-journal.ts';
import type { ContentChanges, RecordedTransaction } from './content-changes.ts';

interface ItemTables {
  rack: { uid: string; name: string; location: string; height: number; items: number; version: number };
  item: { rack: string; slot: string; weight: number | null; stored_at: Date | null };
  visit: { rack: string };
}

interface AnnexTables {
  note: { uid: string };
}

const buildRow = (uid: string, parent: string | null, locationType: LocationType): LocationRow => ({
  uid,
  parent,
  root: 'K',
  locationType,
  name: uid,
  label: '',
});
const locationRows = [
  buildRow('K', null, 'PRIMARY_LOCATION'),
  buildRow('K-1', 'K', 'PLATFORM_UNIT'),
  buildRow('K-2', 'K', 'PLATFORM_UNIT'),
];

describeOnDatabases('changes of contents', (kind) => {
  let server: TestServer;
  let admin: string;
  let changes: ContentChanges<ItemTables>;
  let tables: Kysely<ItemTables>;
  /** The racks of each change that was announced. */
  let announcedRacks: (readonly unknown[])[] = [];
  let failures = 0;
  /** Who changed or undid which racks, with the flags and locations. */
  let guardCalls: (readonly unknown[])[] = [];
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
    tables = server.database.of<ItemTables>('warehouse');
    await sql`create schema warehouse`.execute(tables);
    await sql`
      create table warehouse.rack (uid text primary key, name text not null, location text not null unique,
        height double precision not null, items integer not null default 0, version integer not null default 1)`.execute(
      tables,
    );
    await sql`
      create table warehouse.item (rack text references warehouse.rack on delete cascade, slot text, weight double precision,
        stored_at timestamptz, primary key (rack, slot))`.execute(tables);
    await sql`create table warehouse.visit (rack text references warehouse.rack on delete cascade)`.execute(tables);
    changes = server.service(ChangeJournal).of<ItemTables>('warehouse');
    changes.register({
      tables: {
        rack: { key: ['uid'], name: 'name', location: 'location', version: 'version', derived: ['items'] },
        item: { key: ['rack', 'slot'], belongsTo: { column: 'rack', tables: ['rack'] } },
      },
      disposable: ['visit'],
      settle: async (transaction, { rack = [], item = [] }) => {
        const racks = [...rack.map(({ uid }) => uid), ...item.map((row) => row.rack)];
        await sql`
          update warehouse.rack set items = (select count(*) from warehouse.item where item.rack = rack.uid)
          where uid = any(${racks}::text[])`.execute(transaction);
      },
      guard: async ({ changed: { rack = [] }, former, caller, accessible }) => {
        guardCalls.push([caller.uid, caller.access.flags, [...accessible], rack.length, former.rack?.length ?? 0]);
        if (rack.some(({ height }) => height === 13)) throw noAccess();
      },
      announce: async ({ rack = [] }) => {
        if (failures-- > 0) throw new Error('The connection was lost.');
        announcedRacks.push(rack.map(({ uid }) => uid));
      },
    });
    await sql`create schema annex`.execute(tables);
    await sql`create table annex.note (uid text primary key)`.execute(tables);
    const countNotes = async (transaction: Kysely<AnnexTables>) => {
      await transaction.selectFrom('note').select('uid').execute();
    };
    // Hooks read the tables of their own schema.
    server
      .service(ChangeJournal)
      .of<AnnexTables>('warehouse', 'annex')
      .register({
        tables: { note: { key: ['uid'] } },
        guard: ({ transaction }) => countNotes(transaction),
        settle: countNotes,
        findBlocked: async (transaction) => {
          await countNotes(transaction);
          return [];
        },
      });
    admin = await server.signIn({ flags: ['configure'] });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    announcedRacks = [];
    failures = 0;
    guardCalls = [];
    await sql`truncate warehouse.rack cascade`.execute(tables);
    await sql`truncate core.change cascade`.execute(tables);
    await server.service(LocationStore).upsert(locationRows);
  });

  const apply = async (
    write: (recordedTransaction: RecordedTransaction<ItemTables>) => Promise<void>,
    { author = 'somebody', ...description }: { subject?: string; location?: string; author?: string } = {},
  ) =>
    changes.apply(
      { caller: { uid: author }, requestId: 'r1' },
      { action: 'warehouse.changed', subject: 'a', name: 'Rack A', location: 'K-1', ...description },
      write,
    );
  const createRack = (uid: string, location = 'K-1') =>
    apply(async ({ tables: transaction, lockAndRecord }) => {
      await lockAndRecord('rack', 'uid', [uid]);
      await transaction
        .insertInto('rack')
        .values({ uid, name: `Rack ${uid}`, location, height: 0.1 + 0.2, items: 0, version: 1 })
        .execute();
    });
  const setHeight = (height: number, author = 'somebody') =>
    apply(
      async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('rack', 'uid', ['a']);
        await transaction.updateTable('rack').set({ height }).where('uid', '=', 'a').execute();
      },
      { author },
    );
  const addItems = (slots: readonly string[]) =>
    apply(async ({ tables: transaction, lockAndRecord }) => {
      await lockAndRecord('item', 'rack', ['a']);
      await transaction
        .insertInto('item')
        .values(
          slots.map((slot) => ({ rack: 'a', slot, weight: 1.5, stored_at: new Date('2026-02-03T04:05:06.789Z') })),
        )
        .execute();
    });
  const deleteRack = () =>
    apply(async ({ tables: transaction, lockAndRecord }) => {
      await lockAndRecord('rack', 'uid', ['a']);
      await lockAndRecord('item', 'rack', ['a']);
      await transaction.deleteFrom('rack').where('uid', '=', 'a').execute();
    });
  const undo = async ({ change }: { change: string | null }, token = admin) => {
    const { status, body } = await server.call(undoChange, { token, params: { change: change ?? '' }, body: {} });
    const { refusal } = body as { readonly refusal?: { readonly message: string; readonly values?: object } };
    return { status, change: body.change, refusal: refusal?.message, values: refusal?.values };
  };
  const readAll = async () => ({
    racks: await tables.selectFrom('rack').selectAll().orderBy('uid').execute(),
    items: await tables.selectFrom('item').selectAll().orderBy('slot').execute(),
  });

  it('that create a row can be undone and redone', async () => {
    const creation = await createRack('a');
    const before = await readAll();
    const listEffective = async () => [...(await changes.listEffectiveChanges([creation.change ?? '', 'none']))];
    expect(await listEffective()).toEqual([[creation.change, creation.change]]);
    const undone = await undo(creation);
    expect(await readAll()).toEqual({ racks: [], items: [] });
    expect(await listEffective()).toEqual([]);
    const redone = await undo(undone);
    expect(await readAll()).toEqual(before);
    expect(await listEffective()).toEqual([[creation.change, redone.change]]);
    expect(await undo(creation)).toMatchObject({ status: 409, refusal: 'core.refused.undoDone' });
  });

  it('are announced after their commit and after the commit of their undo, and not if nothing differs', async () => {
    const creation = await createRack('a');
    const heightChange = await setHeight(7);
    await setHeight(7);
    await undo(heightChange);
    await undo(creation);
    expect(announcedRacks).toEqual([['a'], ['a'], ['a'], ['a']]);
    await expect(createRack('b', 'K-1').then(() => createRack('c', 'K-1'))).rejects.toThrow(/unique/);
    expect(announcedRacks).toHaveLength(5);
  });

  it('pass the access of their author to the guard, also in jobs and undos, and fail if it throws', async () => {
    await createRack('a');
    const worker = await server.addPerson({ flags: ['configure', 'vrAccess'], locations: ['K-1'] });
    const heightChange = await setHeight(7, worker.uid);
    expect(await undo(heightChange, await server.signIn(worker))).toMatchObject({ status: 200 });
    const workerCall = [worker.uid, ['configure', 'vrAccess'], ['K-1'], 1, 1];
    expect(guardCalls).toEqual([['somebody', [], [], 1, 0], workerCall, workerCall]);
    await expect(setHeight(13)).rejects.toMatchObject({ status: 403 });
    expect((await readAll()).racks[0]).toMatchObject({ height: 0.1 + 0.2, version: 3 });
  });

  it('are committed even if announcing them fails, and are announced again later', async () => {
    const creation = await createRack('a');
    failures = 2;
    expect(await undo(creation)).toMatchObject({ status: 200 });
    expect(announcedRacks).toEqual([['a']]);
    await vi.waitFor(() => expect(announcedRacks).toEqual([['a'], ['a']]));
  });

  it('restore a deleted row and the rows below it exactly', async () => {
    await createRack('a');
    await addItems(['1', '2']);
    const before = await readAll();
    const deletion = await deleteRack();
    expect(await readAll()).toEqual({ racks: [], items: [] });
    await undo(deletion);
    expect(await readAll()).toEqual(before);
    expect(before.racks[0]).toMatchObject({ height: 0.1 + 0.2, items: 2 });
  });

  it('restore only the changed columns, increment the version, and recompute dependent values', async () => {
    await createRack('a');
    const heightChange = await setHeight(7);
    expect((await readAll()).racks[0]).toMatchObject({ height: 7, version: 2 });
    await apply(async ({ tables: transaction, lockAndRecord }) => {
      await lockAndRecord('rack', 'uid', ['a']);
      await transaction.updateTable('rack').set({ name: 'Renamed' }).execute();
    });
    await addItems(['1']);
    await undo(heightChange);
    expect((await readAll()).racks[0]).toMatchObject({ height: 0.1 + 0.2, name: 'Renamed', items: 1, version: 4 });
  });

  it('increment the version once, even if the statement that writes the row increments it', async () => {
    await createRack('a');
    await apply(async ({ tables: transaction, lockAndRecord }) => {
      await lockAndRecord('rack', 'uid', ['a']);
      await sql`update warehouse.rack set height = 7, version = version + 1`.execute(transaction);
    });
    expect((await readAll()).racks[0]).toMatchObject({ height: 7, version: 2 });
  });

  it('store created rows as they were written, before dependent values are computed', async () => {
    const creation = await apply(async ({ tables: transaction, lockAndRecord }) => {
      await lockAndRecord('item', 'rack', ['a']);
      await lockAndRecord('rack', 'uid', ['a']);
      await transaction
        .insertInto('rack')
        .values({ uid: 'a', name: 'Rack a', location: 'K-1', height: 0.1 + 0.2, items: 0, version: 1 })
        .execute();
      await transaction
        .insertInto('item')
        .values([
          { rack: 'a', slot: '1', weight: 0.1 + 0.2, stored_at: new Date('2126-02-03T04:05:06.789Z') },
          { rack: 'a', slot: '2', weight: null, stored_at: null },
        ])
        .execute();
    });
    const { rows } = await sql`
      select number, table_name, key, before, after from core.change_row
      where change = ${creation.change} order by number`.execute(tables);
    const storedAt = '2126-02-03T04:05:06.789+00:00';
    expect(rows).toEqual([
      {
        number: 0,
        table_name: 'rack',
        key: { uid: 'a' },
        before: null,
        after: { uid: 'a', name: 'Rack a', location: 'K-1', height: 0.1 + 0.2, items: 0, version: 1 },
      },
      {
        number: 1,
        table_name: 'item',
        key: { rack: 'a', slot: '1' },
        before: null,
        after: { rack: 'a', slot: '1', weight: 0.1 + 0.2, stored_at: storedAt },
      },
      {
        number: 2,
        table_name: 'item',
        key: { rack: 'a', slot: '2' },
        before: null,
        after: { rack: 'a', slot: '2', weight: null, stored_at: null },
      },
    ]);
    expect((await readAll()).racks[0]).toMatchObject({ items: 2 });
  });

  it('cannot be undone if the same column was changed since', async () => {
    await createRack('a');
    const heightChange = await setHeight(7);
    await setHeight(8);
    expect(await undo(heightChange)).toMatchObject({
      status: 409,
      refusal: 'core.refused.undoChanged',
      values: { name: 'Rack a' },
    });
    expect((await readAll()).racks[0]).toMatchObject({ height: 8 });
  });

  it('cannot be undone if other rows refer to a created row, unless these are disposable', async () => {
    const creation = await createRack('a');
    await tables.insertInto('visit').values({ rack: 'a' }).execute();
    await addItems(['1']);
    expect(await undo(creation)).toMatchObject({ status: 409 });
    expect((await readAll()).items).toHaveLength(1);
    await sql`delete from warehouse.item`.execute(tables);
    await sql`update warehouse.rack set items = 0`.execute(tables);
    await undo(creation);
    expect(await readAll()).toEqual({ racks: [], items: [] });
  });

  it('cannot be undone if a unique value is taken, or if a referenced row or the location was deleted', async () => {
    await createRack('a');
    await addItems(['1']);
    const removal = await apply(async ({ tables: transaction, lockAndRecord }) => {
      await lockAndRecord('item', 'rack', ['a']);
      await transaction.deleteFrom('item').execute();
    });
    const deletion = await deleteRack();
    expect(await undo(removal)).toMatchObject({ status: 409, refusal: 'core.refused.undoNeeds' });
    await createRack('b');
    expect(await undo(deletion)).toMatchObject({ status: 409, refusal: 'core.refused.undoTaken' });
    await sql`update warehouse.rack set location = 'K-2'`.execute(tables);
    await server.call(deleteLocation, { params: { location: 'K-1' }, token: admin });
    expect(await undo(deletion)).toMatchObject({ status: 409, refusal: 'core.refused.undoNeeds' });
  });

  it('can be undone only with access to the former and the new location of a row', async () => {
    await createRack('a');
    const relocation = await apply(
      async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('rack', 'uid', ['a']);
        await transaction.updateTable('rack').set({ location: 'K-2' }).execute();
      },
      { location: 'K-2' },
    );
    const token = await server.signIn({ flags: ['configure'], locations: ['K-2'] });
    expect(await undo(relocation, token)).toMatchObject({ status: 403 });
    expect(await undo({ change: 'unknown' })).toMatchObject({ status: 404 });
  });

  it('can be undone only with access to the location of each row, even if another column was changed', async () => {
    await createRack('a', 'K-1');
    await createRack('b', 'K-2');
    const renaming = await apply(
      async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('rack', 'uid', ['a', 'b']);
        await transaction.updateTable('rack').set({ name: 'Renamed' }).execute();
      },
      { location: 'K-2' },
    );
    const token = await server.signIn({ flags: ['configure'], locations: ['K-2'] });
    expect(await undo(renaming, token)).toMatchObject({ status: 403 });
    expect((await readAll()).racks.map(({ name }) => name)).toEqual(['Renamed', 'Renamed']);
    expect(await undo(renaming)).toMatchObject({ status: 200 });
  });

  it('cannot be undone if their location was deleted, which is reported even to people without access to it', async () => {
    const insertion = await apply(
      async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('rack', 'uid', ['b']);
        await transaction
          .insertInto('rack')
          .values({ uid: 'b', name: 'B', location: 'K-2', height: 1, items: 0, version: 1 })
          .execute();
      },
      { location: 'K-1' },
    );
    await server.call(deleteLocation, { params: { location: 'K-1' }, token: admin });
    const token = await server.signIn({ flags: ['configure'], locations: ['K-2'] });
    expect(await undo(insertion, token)).toMatchObject({ status: 409, refusal: 'core.refused.undoNeeds' });
  });

  it('restore deleted rows even if a column was added to their table since', async () => {
    await createRack('a');
    const deletion = await deleteRack();
    await sql`alter table warehouse.rack add column colour text not null default 'grey'`.execute(tables);
    try {
      expect(await undo(deletion)).toMatchObject({ status: 200 });
      expect((await readAll()).racks).toMatchObject([{ uid: 'a', colour: 'grey' }]);
    } finally {
      await sql`alter table warehouse.rack drop column colour`.execute(tables);
    }
  });

  it.runIf(kind === 'postgres')(
    'are undone without waiting for or recording rows that share only a part of the key',
    async () => {
      await createRack('a');
      await addItems(['1', '2']);
      const weightChange = await apply(async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('item', 'rack', ['a']);
        await transaction.updateTable('item').set({ weight: 9 }).where('slot', '=', '1').execute();
      });
      let finish = (): void => undefined;
      const finishSignal = new Promise<void>((resolve) => (finish = resolve));
      let other = Promise.resolve();
      await new Promise<void>((resolve) => {
        other = tables.transaction().execute(async (transaction) => {
          await transaction.updateTable('item').set({ weight: 5 }).where('slot', '=', '2').execute();
          resolve();
          await finishSignal;
        });
      });
      expect(await undo(weightChange).finally(finish)).toMatchObject({ status: 200 });
      await other;
      expect((await readAll()).items.map(({ weight }) => weight)).toEqual([1.5, 5]);
    },
  );

  it.runIf(kind === 'embedded')('are undone in a session with another time zone', async () => {
    await createRack('a');
    const addition = await addItems(['1']);
    await sql`set time zone 'Asia/Tokyo'`.execute(tables);
    try {
      expect(await undo(addition)).toMatchObject({ status: 200 });
    } finally {
      await sql`reset time zone`.execute(tables);
    }
  });

  it('are written one after the other', async () => {
    await createRack('a');
    await Promise.all(Array.from({ length: 8 }, (_, slot) => addItems([String(slot)])));
    expect((await readAll()).racks).toMatchObject([{ items: 8 }]);
  });

  it('record nothing if nothing differs', async () => {
    await createRack('a');
    const count = async () =>
      (await server.database.of<AuditTables>('core').selectFrom('audit_log').selectAll().execute()).length;
    const before = await count();
    expect(await setHeight(0.1 + 0.2)).toEqual({ change: null });
    expect(await count()).toBe(before);
    expect((await readAll()).racks[0]).toMatchObject({ version: 1 });
  });

  it('are audited with the rows before and after', async () => {
    await createRack('a');
    const { change } = await setHeight(7);
    const entries = await server.database
      .of<AuditTables>('core')
      .selectFrom('audit_log')
      .selectAll()
      .orderBy('at')
      .execute();
    expect(entries.at(-1)).toMatchObject({
      actor: 'somebody',
      action: 'warehouse.changed',
      request: 'r1',
      details: {
        change,
        rows: [{ table: 'rack', key: { uid: 'a' }, before: { height: 0.1 + 0.2 }, after: { height: 7 } }],
      },
    });
  });

  it('leave nothing of a failed change', async () => {
    await expect(
      apply(async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('rack', 'uid', ['a']);
        await transaction
          .insertInto('rack')
          .values({ uid: 'a', name: 'A', location: 'K-1', height: 1, items: 0, version: 1 })
          .execute();
        throw new Error('planned');
      }),
    ).rejects.toThrow('planned');
    expect(await readAll()).toEqual({ racks: [], items: [] });
    expect(await sql`select 1 from core.change`.execute(tables)).toMatchObject({ rows: [] });
  });

  it('are undone by as many statements for 300 rows as for three', async () => {
    await createRack('a');
    const countUndo = async (slots: number) => {
      const addition = await addItems(Array.from({ length: slots }, (_, slot) => `${slots}-${slot}`));
      const { statements } = await new QueryCounter(server.database).record(() => undo(addition));
      return statements.filter((statement) => /warehouse|change_row/.test(statement)).length;
    };
    const few = await countUndo(3);
    expect(await countUndo(300)).toBe(few);
  });

  describe('undone row by row', () => {
    const undoRows = async ({ change }: { change: string | null }, dryRun = false) => {
      const { uid } = await server.addPerson({ flags: ['configure'] });
      const caller = { uid, access: { flags: [], locations: 'ALL', deactivatedRoles: [] } } as never;
      const { change: undone, rows } = await changes.undoRows(change ?? '', { caller, requestId: 'r2' }, { dryRun });
      return {
        change: undone,
        rows: rows.map(({ table, name, outcome, reason }) => [table, name, outcome, reason?.message].join(' ').trim()),
        entities: rows.map(({ entity, part }) => `${entity}${part ? ' part' : ''}`),
      };
    };
    const createRacks = (...uids: readonly (readonly [uid: string, location: string])[]) =>
      apply(async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord(
          'rack',
          'uid',
          uids.map(([uid]) => uid),
        );
        await transaction
          .insertInto('rack')
          .values(
            uids.map(([uid, location]) => ({ uid, name: `Rack ${uid}`, location, height: 1, items: 0, version: 1 })),
          )
          .execute();
      });

    it('restore unchanged rows, and name the rows that were edited or used since', async () => {
      const creation = await createRacks(['a', 'K'], ['b', 'K-1'], ['c', 'K-2']);
      await addItems(['1']);
      await apply(async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('rack', 'uid', ['b']);
        await transaction.updateTable('rack').set({ height: 2 }).where('uid', '=', 'b').execute();
      });
      const expected = [
        'rack Rack a BLOCKED core.refused.undoUsed',
        'rack Rack b KEPT core.refused.undoChanged',
        'rack Rack c REVERSED',
      ];
      const before = await readAll();
      expect(await undoRows(creation, true)).toMatchObject({ change: null, rows: expected });
      expect(await readAll()).toEqual(before);
      const undone = await undoRows(creation);
      expect(undone.rows).toEqual(expected);
      expect((await readAll()).racks.map(({ uid }) => uid)).toEqual(['a', 'b']);
      await undo(undone);
      expect((await readAll()).racks.map(({ uid }) => uid)).toEqual(['a', 'b', 'c']);
    });

    it('keep the rows that belong to kept rows', async () => {
      const creation = await apply(async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('rack', 'uid', ['a', 'b']);
        await lockAndRecord('item', 'rack', ['a', 'b']);
        for (const [uid, location] of [
          ['a', 'K-1'],
          ['b', 'K-2'],
        ] as const) {
          await transaction
            .insertInto('rack')
            .values({ uid, name: `Rack ${uid}`, location, height: 1, items: 0, version: 1 })
            .execute();
          await transaction.insertInto('item').values({ rack: uid, slot: '1', weight: 1, stored_at: null }).execute();
        }
      });
      await apply(async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('rack', 'uid', ['a']);
        await transaction.updateTable('rack').set({ height: 2 }).where('uid', '=', 'a').execute();
      });
      const { rows, entities } = await undoRows(creation);
      expect(entities).toEqual(['["rack","a"]', '["rack","b"]', '["rack","a"] part', '["rack","b"] part']);
      expect(rows).toEqual([
        'rack Rack a KEPT core.refused.undoChanged',
        'rack Rack b REVERSED',
        'item Rack a 1 KEPT core.refused.undoChanged',
        'item Rack b 1 REVERSED',
      ]);
      expect((await readAll()).items.map(({ rack }) => rack)).toEqual(['a']);
    });

    it('restore all rows except those with a taken unique value', async () => {
      const creation = await createRacks(['a', 'K'], ['b', 'K-1'], ['c', 'K-2']);
      expect(creation.change).not.toBeNull();
      const deletion = await apply(async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('rack', 'uid', ['a', 'b', 'c']);
        await transaction.deleteFrom('rack').execute();
      });
      await createRacks(['d', 'K-1']);
      expect((await undoRows(deletion)).rows).toEqual([
        'rack Rack a REVERSED',
        'rack Rack b BLOCKED core.refused.undoTaken',
        'rack Rack c REVERSED',
      ]);
      expect((await readAll()).racks.map(({ uid }) => uid)).toEqual(['a', 'c', 'd']);
      expect(await undo(deletion)).toMatchObject({ status: 409, refusal: 'core.refused.undoDone' });
    });
  });

  it('are found by the values of the rows that they created, unless they were undone', async () => {
    const creation = await createRack('a');
    const find = (...rows: { uid: string; name?: string; height?: number }[]) => changes.findCreation('rack', rows);
    expect(await find({ uid: 'a', name: 'Rack a', height: 0.1 + 0.2 })).toEqual({ ...creation, author: 'somebody' });
    expect(await find({ uid: 'a', name: 'Another' })).toBeUndefined();
    expect(await find({ uid: 'a' }, { uid: 'b' })).toBeUndefined();
    expect(await find({ uid: 'b' })).toBeUndefined();
    const undone = await undo(creation);
    expect(await find({ uid: 'a' })).toBeUndefined();
    const { change } = await undo(undone);
    expect(await find({ uid: 'a' })).toMatchObject({ change });
  });
});
