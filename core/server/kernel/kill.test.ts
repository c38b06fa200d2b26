import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, createRestartableServer, soakCount, type RestartableServer } from '#core/testing/server';

const kills = soakCount(3, 50);
const writers = 8;

/** Each entry is two rows of one transaction. */
const plugin = `[enabledPlugin(
  { id: 'ledger', title: 'ledger.title', access: [], requires: [], bridges: [], settings: {} },
  {},
  {
  migrations: [{
    id: 'ledger-0001-entries',
    up: "create table entry (id int not null, side text not null, primary key (id, side))",
  }],
  api: (api, { tables }) => {
    const body = {
      type: 'object', required: ['id'], properties: { id: { type: 'integer' } }, additionalProperties: false,
    };
    const write = { method: 'POST', path: '/api/ledger', summary: 'Write an entry.', access: 'public', status: 201, body, reply: body };
    api.serve(write, async ({ body: { id } }) => {
      await tables.transaction().execute(async (transaction) => {
        await transaction.insertInto('entry').values({ id, side: 'left' }).execute();
        await transaction.insertInto('entry').values({ id, side: 'right' }).execute();
      });
      return { id };
    });
    const whole = { type: 'array', items: { type: 'integer' } };
    const reply = { type: 'object', properties: { whole, half: { type: 'integer' } } };
    api.serve({ method: 'GET', path: '/api/ledger', summary: 'List the entries.', access: 'public', reply }, async () => {
      const rows = await tables
        .selectFrom('entry')
        .select(['id', (count) => count.fn.countAll().as('sides')])
        .groupBy('id')
        .orderBy('id')
        .execute();
      return {
        whole: rows.filter((row) => row.sides === 2).map((row) => row.id),
        half: rows.filter((row) => row.sides !== 2).length,
      };
    });
  },
})]`;

describeOnDatabases('a server under load', (kind) => {
  let program: RestartableServer;
  beforeAll(async () => {
    program = await createRestartableServer(kind, { imports: '', list: plugin });
  });
  afterAll(() => program.remove());

  it(
    'restarts after each kill -9 with all acknowledged writes and without partial ones',
    async () => {
      const acknowledgedIds = new Set<number>();
      let next = 0;
      for (let kill = 0; kill < kills; kill += 1) {
        const server = await program.start();
        const targetCount = acknowledgedIds.size + randomInt(1, 60);
        const write = async (): Promise<void> => {
          for (;;) {
            const id = (next += 1);
            const answer = await fetch(`${server.url}/api/ledger`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ id }),
            });
            expect(answer.status).toBe(201);
            acknowledgedIds.add(id);
            if (acknowledgedIds.size === targetCount) void server.kill();
          }
        };
        const results = await Promise.allSettled(Array.from({ length: writers }, write));
        for (const result of results)
          expect(result).toMatchObject({ status: 'rejected', reason: expect.any(TypeError) });
        await server.kill();
      }
      const server = await program.start();
      const { whole, half }: { readonly whole: readonly number[]; readonly half: number } = await (
        await fetch(`${server.url}/api/ledger`)
      ).json();
      expect(half).toBe(0);
      expect([...acknowledgedIds].filter((id) => !whole.includes(id))).toEqual([]);
      expect(acknowledgedIds.size).toBeGreaterThanOrEqual(kills);
      expect(await server.stop()).toBe(0);
    },
    soakCount(240_000, 1_800_000),
  );
});
