import type { TestProject } from 'vitest/node';
import { startPostgres, type PostgresForTests } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresForTests;
  }
}

/** Vitest's global setup: one PostgreSQL server per run. */
export default async function setUpPostgres(project: TestProject): Promise<() => Promise<void>> {
  const { postgres, stop } = await startPostgres();
  project.provide('postgres', postgres);
  return stop;
}
