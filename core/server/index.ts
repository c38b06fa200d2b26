export type { Caller } from './access/caller.ts';
export type { Account } from './access/account.ts';
export type { AccountStatus } from './access/access-tables.ts';
export { atLocation } from './access/at-location.ts';
export { LocationStore } from './access/location-store.ts';
export { SiteStore } from './access/site-store.ts';
export { Roles, type NewRole, type Role } from './access/roles.ts';
export { PeopleChanges } from './people/people-changes.ts';
export { PeopleLists } from './people/list-people.ts';
export { PeopleImport } from './people/import-people.ts';
export { PersonMasters } from './people/person-masters.ts';
export type { PeopleTables } from './people/people-tables.ts';
export { AuditLog, type AuditEntry } from './audit/audit-log.ts';
export { Accounts, type AccountChange, type NewAccount } from './auth/accounts.ts';
export type { RowChange } from './changes/change-recorder.ts';
export type { Database } from './database/database.ts';
export { matchesAny } from './database/matches-any.ts';
export type { Migration } from './database/migration.ts';
export { allowLongStatements, expectManyRows, planEachStatement } from './database/pool-driver.ts';
export { Events, type EventAudience } from './events/events.ts';
export { NoticeSources } from './auth/notice-sources.ts';
export { Callers } from './auth/load-caller.ts';
export { OpenSessions } from './auth/open-sessions.ts';
export { Backups } from './backup/backup-part.ts';
export type { BackupSummary } from './backup/archive-names.ts';
export {
  ConfigurationChanges,
  ConfigurationStore,
  type ConfigurationValue,
  type StoredSetting,
} from './configuration/configuration-store.ts';
export { SettingSources, type SettingSource } from './configuration/setting-sources.ts';
export { SignInContents } from './configuration/sign-in-content-part.ts';
export { createToGeographic, type ToGeographic } from './coordinates/to-geographic.ts';
export { generateCsv } from './site-contents/generate-csv.ts';
export { readEpsgEntry, type EpsgEntry } from './coordinates/read-epsg-entry.ts';
export {
  FileStore,
  type ByteRange,
  type FileAudience,
  type FileGuard,
  type FolderEntry,
  type GuardedRead,
  type NewFile,
  type StoredFile,
  type StoredEntry,
} from './files/file-store.ts';
export { removeOnFailure } from './files/remove-on-failure.ts';
export { temporaryFilesFull, writeTemporaryFiles } from './files/temporary-files.ts';
export { applyUploadRules, type ReceivedFile, type ReceivedUpload, type UploadRules } from './files/receive-upload.ts';
export { Jobs, type JobOutcome, type JobResult, type JobRun, type JobStep } from './jobs/jobs.ts';
export { isOutage } from './jobs/job-runner.ts';
export { computeCameraAxes, isTilted, samplePanorama, type CameraTilt } from './media/level-panorama.ts';
export { assertPicture, measurePicture, pictureTypes } from './media/assert-picture.ts';
export { clearVideoMetadata } from './media/clear-video-metadata.ts';
export { resizePicture, type PictureSize, type ResizeOptions } from './media/resize-picture.ts';
export { tileRange, type RangeDescription, type TiledRange } from './media/range-tiles.ts';
export { tilePanorama, type PanoramaDescription, type TiledPanorama } from './media/tile-pyramid.ts';
export { isStatementTimeout, isUniqueViolation } from './kernel/database-error.ts';
export type {
  CallAuthor,
  ChangeAuthor,
  BlockedRow,
  ChangedRows,
  ContentChanges,
  RecordedTransaction,
  UndoneChange,
  UndoneRow,
  WrittenChange,
} from './changes/content-changes.ts';
export { ContentChecks, toFindings, type ContentCheck } from './content-checks/content-checks.ts';
export {
  SiteContents,
  SiteTransfers,
  type ExportedContent,
  type ImportedCounts,
  type ImportedFile,
  type OwnedSiteContent,
  type SiteContent,
  type SiteExport,
  type SiteImport,
  type TransferNote,
  type TransferredContent,
  type TransferredSite,
} from './site-contents/site-contents.ts';
export { LocationWriter, type LocationInput, type LocationTables } from './locations/location-writer.ts';
export * from './site-contents/example-workbooks.ts';
export type { Clock } from './kernel/clock.ts';
export { PreparedReply, prepareReply } from './kernel/prepared-reply.ts';
export { TtlCache } from './kernel/ttl-cache.ts';
export { ConfigurationError } from './kernel/configuration-error.ts';
export { getCheck } from './kernel/body-checks.ts';
export { findMediaType } from './files/media-types.ts';
export { enabledPlugin, type EnabledBridge, type EnabledPlugin } from './kernel/enabled-plugin.ts';
export type { ServerContent, WalkdownServer } from './start/server.ts';
export * from './kernel/server-error.ts';
export * from './kernel/server-plugin.ts';
export {
  backupServer,
  checkServer,
  dropServer,
  exampleServer,
  exportServer,
  importServer,
  migrateServer,
  resetSecondFactorServer,
  restoreServer,
  seedServer,
  startServer,
  type StartedServer,
} from './start/start.ts';
export { runProgram } from './product/run-program.ts';
