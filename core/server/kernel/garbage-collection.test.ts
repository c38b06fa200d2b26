import { expect, it } from 'vitest';
import { collectGarbage } from './garbage-collection.ts';

it('frees objects that nothing references', async () => {
  const reference = new WeakRef({ rows: Array.from({ length: 1000 }, () => 0) });
  // A reference stays alive until the end of the task that created it.
  await new Promise((resolve) => setImmediate(resolve));
  await collectGarbage();
  expect(reference.deref()).toBeUndefined();
});
