import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import type { FullDemoPlant } from '../demo/full-demo-plant.ts';
import { seedWhereEmpty } from './demo-data.ts';

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

describeOnDatabases('the demo plant of a product that is tried', (database) => {
  let server: TestServer;
  let seeds = 0;
  const said: string[] = [];
  const seed = (how: () => Promise<void>) =>
    seedWhereEmpty(
      { database: server.server.database, seed: () => ((seeds += 1), how()) },
      (text) => void said.push(text),
      async () => plant,
    );
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.close());

  it('seeds an empty database, completes an interrupted seed, and changes nothing afterwards', async () => {
    const interruptSeed = async () => {
      await server.addPerson();
      throw new Error('cut short');
    };
    await expect(seed(interruptSeed)).rejects.toThrow('cut short');
    expect(await seed(async () => undefined)).toBe(true);
    expect(await seed(async () => undefined)).toBe(false);
    expect(seeds).toBe(2);
    expect(said).toEqual([expect.stringContaining('The database is empty'), expect.stringContaining('finishing it')]);
  });
});
