import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildNodeProgram, waitForMessage, type NodeProgram } from '#core/testing/server';

let program: NodeProgram;
beforeAll(async () => {
  // In a process of its own, because the test runner tracks contexts already.
  program = await buildNodeProgram(`
    import { TransactionGuard } from './core/server/database/transaction-guard.ts';
    const guard = new TransactionGuard(true);
    async function query() {
      guard.check();
      await null;
      await null;
      guard.check();
    }
    async function transact() {
      await null;
      guard.begin({});
    }
    void transact();
    query().then(() => process.send({ error: null }), (error) => process.send({ error: error.message }));
  `);
});
afterAll(() => program.remove());

it('accepts a query that waits while the first transaction of a process begins', async () => {
  expect(await waitForMessage(program.run())).toEqual({ error: null });
});
