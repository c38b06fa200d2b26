import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino, type Logger } from 'pino';
import type { Product, Token } from '#core';
import { PoolDatabase } from '../../server/database/pool-database.ts';
import type { CorePart } from '../../server/kernel/core-part.ts';
import type { Clock } from '../../server/kernel/clock.ts';
import type { EnabledBridge, EnabledPlugin } from '../../server/kernel/enabled-plugin.ts';
import type { ServerBridge } from '../../server/kernel/server-plugin.ts';
import { createServer, type WalkdownServer } from '../../server/start/server.ts';
import { readServerConfig, type ServerConfig } from '../../server/kernel/server-config.ts';
import { createTestCalls, type TestCalls } from './test-calls.ts';
import { createTestDatabase, type DatabaseKind, type TestDatabase } from './test-databases.ts';
import { addPerson, signInAs, type NewPerson, type TestPerson } from './test-people.ts';

type DeepPartial<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[]
    ? T[K]
    : T[K] extends object
      ? DeepPartial<T[K]> | T[K]
      : T[K];
};

export interface TestServerOptions {
  readonly plugins?: readonly EnabledPlugin[];
  readonly bridges?: readonly EnabledBridge[];
  /** All parts of core by default. */
  readonly coreParts?: readonly CorePart[];
  /** Embedded by default. An already open database stays open when the server closes. */
  readonly database?: DatabaseKind | TestDatabase | PoolDatabase;
  /** Overrides the test defaults: a free port, a separate data folder, no rate limits and no log. */
  readonly config?: DeepPartial<ServerConfig>;
  readonly product?: Partial<Product>;
  readonly bundleFolder?: string;
  readonly clock?: Clock;
  readonly log?: Logger;
}

export interface TestServer extends TestCalls {
  readonly server: WalkdownServer;
  readonly app: WalkdownServer['app'];
  readonly database: WalkdownServer['database'];
  readonly config: ServerConfig;
  /** The URL, such as `http://127.0.0.1:41234`. The first call makes the server listen. */
  url(): Promise<string>;
  addPerson(person?: NewPerson): Promise<TestPerson>;
  /** The access token of a person, or of a new person with the requested access. */
  signIn(person?: NewPerson | TestPerson): Promise<string>;
  /** A service of the server, for tests that call it directly. */
  service<T>(token: Token<T>): T;
  /** Closes the server and removes its database and folder. */
  close(): Promise<void>;
}

export const testProduct: Product = {
  profile: 'test',
  title: 'Test product',
  shortName: 'Test',
  version: '0.0.0',
  login: { type: 'EMAIL_PW', providers: [] },
  languages: ['en', 'fr'],
  timeZone: 'UTC',
  progressiveWebApp: false,
  logo: '/dashboard/logo.svg',
  backgrounds: [],
};

/** A bridge that uses the tables of its own plugin. */
export const buildBridge = <Tables>(owner: string, partner: string, bridge: ServerBridge<Tables>): EnabledBridge => ({
  owner,
  partner,
  bridge: bridge as unknown as ServerBridge,
});

/** Starts a complete server on an empty database, without listening. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-server-'));
  const requestedDatabase = options.database ?? 'embedded';
  const openDatabase = requestedDatabase instanceof PoolDatabase ? requestedDatabase : undefined;
  const createdDatabase =
    typeof requestedDatabase === 'string'
      ? await createTestDatabase(requestedDatabase, { withCore: options.coreParts === undefined })
      : undefined;
  const database =
    typeof requestedDatabase === 'string' || requestedDatabase instanceof PoolDatabase
      ? createdDatabase
      : requestedDatabase;
  const remove = async (): Promise<void> => {
    await createdDatabase?.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  try {
    const config = buildConfig(folder, database?.config, options.config ?? {});
    const server = await createServer({
      product: { ...testProduct, ...options.product },
      plugins: options.plugins ?? [],
      bridges: options.bridges ?? [],
      bundleFolder: options.bundleFolder,
      config,
      log: options.log ?? pino({ level: 'silent' }),
      durable: false,
      checked: true,
      ...(openDatabase ? { database: openDatabase } : {}),
      ...(options.coreParts ? { parts: options.coreParts } : {}),
      ...(options.clock ? { clock: options.clock } : {}),
    });
    await server.start();
    return createTestServer(server, config, remove);
  } catch (error) {
    await remove();
    throw error;
  }
}

function createTestServer(server: WalkdownServer, config: ServerConfig, remove: () => Promise<void>): TestServer {
  let url: Promise<string> | undefined;
  const calls = createTestCalls(server.app);
  const add = (person?: NewPerson): Promise<TestPerson> => addPerson(server.database, person);
  return {
    server,
    app: server.app,
    database: server.database,
    config,
    call: calls.call,
    url: () => (url ??= server.listen()),
    addPerson: add,
    signIn: async (person) => signInAs(calls, person && 'password' in person ? person : await add(person)),
    service: (token) => server.registrar.services.find(token, 'test'),
    close: async () => {
      await server.close();
      await remove();
    },
  };
}

function buildConfig(
  folder: string,
  database: ServerConfig['database'] | undefined,
  changes: DeepPartial<ServerConfig>,
): ServerConfig {
  const { config } = readServerConfig({
    WALKDOWN_DATA: folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    WALKDOWN_REQUESTS_PER_MINUTE: '0',
    WALKDOWN_BUSY_AFTER_MS: '0',
    WALKDOWN_DISK_RESERVE_BYTES: '0',
  });
  return merge({ ...config, database: database ?? config.database }, changes);
}

/** Merges plain objects recursively; other values in `changes` replace the original. */
function merge<T extends object>(base: T, changes: DeepPartial<T>): T {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(base));
  for (const [key, change] of Object.entries(changes)) {
    const previous = merged[key];
    merged[key] = isPlain(previous) && isPlain(change) && !('kind' in change) ? merge(previous, change) : change;
  }
  return merged as T;
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
