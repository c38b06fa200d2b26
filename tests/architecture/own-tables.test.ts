import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enabledPlugin, serverPlugin, type ServerContext } from '#core/server';
import { startTestServer, type TestServer } from '#core/testing/server';
import scanManifest from '../../plugins/scan/plugin.ts';
import type { ScanTables } from '../../plugins/scan/server/tables.ts';
import tourManifest from '../../plugins/tour/plugin.ts';
import type { TourTables } from '../../plugins/tour/server/tables.ts';

describe('the tables of a plugin', () => {
  let server: TestServer;
  let tour: ServerContext<TourTables> | undefined;
  let scan: ServerContext<ScanTables> | undefined;
  beforeAll(async () => {
    server = await startTestServer({
      plugins: [
        enabledPlugin(
          tourManifest,
          {},
          serverPlugin<typeof tourManifest, TourTables>()({
            api: (_api, context) => void (tour = context),
          }),
        ),
        enabledPlugin(
          scanManifest,
          { token: false },
          serverPlugin<typeof scanManifest, ScanTables>()({
            api: (_api, context) => void (scan = context),
          }),
        ),
      ],
    });
  });
  afterAll(() => server.close());

  it('are those of its own schema', () => {
    expect(tour?.tables.selectFrom('node').select('uid').compile().sql).toContain('"tour"."node"');
    expect(scan?.tables.selectFrom('station').select('uid').compile().sql).toContain('"scan"."station"');
  });

  it("cannot be another plugin's: asking for them does not compile", () => {
    // @ts-expect-error `station` is a table of scan
    expect(tour?.tables.selectFrom('station').compile().sql).toContain('"tour"."station"');
    // @ts-expect-error `station` is a table of scan, also when it is joined
    expect(tour?.tables.selectFrom('node').innerJoin('station', 'node.uid', 'station.node').compile().sql).toBeTruthy();
    // @ts-expect-error `node` is a table of tour
    expect(scan?.tables.selectFrom('node').compile().sql).toContain('"scan"."node"');
    const unnamed = tour as unknown as ServerContext;
    // @ts-expect-error a plugin that names no tables has none
    expect(unnamed.tables.selectFrom('node').compile().sql).toContain('"tour"."node"');
  });

  it('are all that a plugin receives of the database', () => {
    // @ts-expect-error a plugin's context has no `database`
    expect(tour?.database).toBeUndefined();
    // @ts-expect-error nor has that of a plugin without tables
    expect((scan as unknown as ServerContext).database).toBeUndefined();
  });
});
