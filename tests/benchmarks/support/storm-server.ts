import { startServer } from '#core/server';
import { addPerson } from '../../../core/testing/server/test-people.ts';
import { plainProduct } from './plain-product.ts';

/**
 * This program is the server without plugins and with one person. It sends `{ address }`, `{ username }` and
 * `{ password }` to its parent and serves the folder `BENCH_BUNDLE` as the product's pages.
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
