import { startServer } from '#core/server';
import { addPerson } from '../../../core/testing/server/test-people.ts';
import { plainProduct } from './plain-product.ts';

/**
 * A program: the server alone, with one person. Tells its parent `{ address }`, `{ username }` and `{ password }`.
 * `BENCH_BUNDLE` is the folder that it serves as the product's pages.
 */
await startServer(
  { product: plainProduct, plugins: [], bridges: [], bundleFolder: process.env['BENCH_BUNDLE'] },
  process.env,
  {
    prepare: async ({ database }) => {
      const { username, password } = await addPerson(database);
      process.send?.({ username, password });
    },
  },
);
