import { BrowserStorage, HttpClient, ServerEvents, useService } from '#core/web';
import { ImportDrafts } from './import-drafts.ts';
import { ImportUploads } from './import-uploads.ts';
import { SiteUpload } from './site-upload.ts';

export interface ImportSession {
  readonly drafts: ImportDrafts;
  readonly uploads: ImportUploads;
  readonly site: SiteUpload;
}

// Not services: their own file would be one more than a screen may load.
const sessions = new WeakMap<HttpClient, ImportSession>();

/**
 * What outlives the screens of imports until the page is reloaded: choices that are not sent yet, and uploads. Choices
 * of columns outlive that, too.
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
    site: new SiteUpload(http, events),
  };
  sessions.set(http, session);
  return session;
}
