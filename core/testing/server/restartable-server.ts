import path from 'node:path';
import { pino } from 'pino';
import { openDatabase } from '../../server/database/open-database.ts';
import type { PoolDatabase } from '../../server/database/pool-database.ts';
import { buildServerProgram, type RunningServer } from './server-process.ts';
import { createTestDatabase, type DatabaseKind } from './test-databases.ts';

/** A server in successive processes over one database and one data folder. */
export interface RestartableServer {
  /** Absolute path of the data folder. */
  readonly data: string;
  /** Starts the next process and resolves when it listens. The previous process must have ended. */
  start(): Promise<RunningServer>;
  /** Opens the server's database while no process runs. The caller must close it. */
  openDatabase(): Promise<PoolDatabase>;
  /** Stops running processes. */
  remove(): Promise<void>;
}

/** For tests that stop and restart a server. `environment` applies to each process. */
export async function createRestartableServer(
  kind: DatabaseKind,
  plugins: Parameters<typeof buildServerProgram>[0],
  environment: Readonly<Record<string, string>> = {},
): Promise<RestartableServer> {
  const program = await buildServerProgram(plugins);
  const { config, remove } = await createTestDatabase(kind);
  const data = await program.createDataFolder();
  return {
    data,
    start: () =>
      program.start({
        WALKDOWN_DATA: data,
        LOG_LEVEL: 'silent',
        ...environment,
        ...(config.kind === 'postgres' ? { DATABASE_URL: config.url.reveal() } : {}),
      }),
    openDatabase: () =>
      openDatabase(config.kind === 'postgres' ? config : { kind: 'embedded', folder: path.join(data, 'database') }, {
        log: pino({ level: 'silent' }),
      }),
    remove: async () => {
      await program.remove();
      await remove();
    },
  };
}
