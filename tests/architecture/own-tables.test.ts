import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enabledPlugin, serverPlugin, type ServerContext } from '#core/server';
import { startTestServer, type TestServer } from '#core/testing/server';
import scanManifest from '../../plugins/scan/plugin.ts';
import type { ScanTables } from '../../plugins/scan/server/tables.ts';
import tourManifest from '../../plugins/tour/plugin.ts';
import type { TourTables } from '../../plugins/tour/server/tables.ts';

describe('plugin tables', () => {
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

  it("are limited to the plugin's own schema", () => {
    expect(tour?.tables.selectFrom('node').select('uid').compile().sql).toContain('"tour"."node"');
    expect(scan?.tables.selectFrom('station').select('uid').compile().sql).toContain('"scan"."station"');
  });

  it("do not compile for another plugin's schema", () => {
    // @ts-expect-error `station` is a table of scan
    expect(tour?.tables.selectFrom('station').compile().sql).toContain('"tour"."station"');
    // @ts-expect-error `station` is a table of scan, also when it is joined
    expect(tour?.tables.selectFrom('node').innerJoin('station', 'node.uid', 'station.node').compile().sql).toBeTruthy();
    // @ts-expect-error `node` is a table of tour
    expect(scan?.tables.selectFrom('node').compile().sql).toContain('"scan"."node"');
    const untypedContext = tour as unknown as ServerContext;
    // @ts-expect-error a plugin without declared tables has none
    expect(untypedContext.tables.selectFrom('node').compile().sql).toContain('"tour"."node"');
  });

  it('are the only database access of a plugin', () => {
    // @ts-expect-error a plugin's context has no `database`
    expect(tour?.database).toBeUndefined();
    // @ts-expect-error the context of a plugin without tables has no `database` either
    expect((scan as unknown as ServerContext).database).toBeUndefined();
  });
});
