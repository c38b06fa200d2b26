import { BrowserStorage, HttpClient, ServerEvents, useService } from '#core/web';
import { ImportDrafts } from './import-drafts.ts';
import { ImportUploads } from './import-uploads.ts';
import { SiteUpload } from './site-upload.ts';

export interface ImportSession {
  readonly drafts: ImportDrafts;
  readonly uploads: ImportUploads;
  readonly siteUpload: SiteUpload;
}

// These are no services, because their file would exceed the number of files that a screen may load.
const sessions = new WeakMap<HttpClient, ImportSession>();

/**
 * The state that outlives the import screens until the page is reloaded: unsent choices and uploads. Choices for
 * columns also survive a reload.
 */
export function useImportSession(): ImportSession {
  const http = useService(HttpClient);
  const events = useService(ServerEvents);
  const storage = useService(BrowserStorage);
  const existingSession = sessions.get(http);
  if (existingSession) return existingSession;
  const session = {
    drafts: new ImportDrafts(storage),
    uploads: new ImportUploads(http, events),
    siteUpload: new SiteUpload(http, events),
  };
  sessions.set(http, session);
  return session;
}
