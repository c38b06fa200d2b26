export type { Caller } from './access/caller.ts';
export type { LocationStore } from './access/location-store.ts';
export type { Database } from './database/database.ts';
export type { Migration } from './database/migration.ts';
export type { Events } from './events/events.ts';
export type { FileAudience, FileStore, NewFile, StoredFile } from './files/file-store.ts';
export type { JobResult, JobRun, Jobs } from './jobs/jobs.ts';
export * from './kernel/server-plugin.ts';
