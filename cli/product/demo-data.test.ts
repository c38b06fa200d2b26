import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import type { FullDemoPlant } from '../demo/full-demo-plant.ts';
import { seedIfEmpty } from './demo-data.ts';

const plant: FullDemoPlant = {
  name: 'Plant',
  decks: [],
  tours: [],
  nodes: [],
  links: [],
  tags: [],
  lines: [],
  documents: [],
  loginBackgrounds: [],
  locations: [],
};

describeOnDatabases('seedWhereEmpty', (database) => {
  let server: TestServer;
  let seedCount = 0;
  const messages: string[] = [];
  const seed = (seedPlant: () => Promise<void>) =>
    seedIfEmpty(
      { database: server.database, seed: () => ((seedCount += 1), seedPlant()) },
      (text) => void messages.push(text),
      async () => plant,
    );
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.close());

  it('seeds an empty database once, and completes an interrupted seed', async () => {
    const interruptSeed = async () => {
      await server.addPerson();
      throw new Error('interrupted');
    };
    await expect(seed(interruptSeed)).rejects.toThrow('interrupted');
    expect(await seed(async () => undefined)).toBe(true);
    expect(await seed(async () => undefined)).toBe(false);
    expect(seedCount).toBe(2);
    expect(messages).toEqual([
      expect.stringContaining('The database is empty'),
      expect.stringContaining('was interrupted'),
    ]);
  });
});
