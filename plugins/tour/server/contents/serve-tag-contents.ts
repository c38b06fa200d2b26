import type { Api, ServerContext } from '#core/server';
import {
  addRevision,
  updateDocument,
  updateRevision,
  createDocument,
  deleteDocument,
  deleteRevision,
  getContentDocument,
  listContentDocuments,
  saveDocumentLinks,
} from '../../contract/api/document-content.ts';
import {
  updateTag,
  createTag,
  deleteTag,
  getContentTag,
  listContentTags,
  placeTag,
  previewTagViews,
} from '../../contract/api/tag-content.ts';
import {
  checkTagViewsJob,
  resumeTagViews,
  runCheckTagViews,
  type CheckTagViewsPayload,
} from '../jobs/check-tag-views.ts';
import type { TourTables } from '../tables.ts';
import {
  addDocument,
  removeDocument,
  removeRevision,
  revisionUpload,
  saveDocument,
  saveLinks,
  saveRevision,
  saveRevisionData,
} from './document-changes.ts';
import { listDocuments, readDocumentDetails } from './read-documents.ts';
import { previewViews } from './preview-views.ts';
import { listTags, readTagDetails } from './read-tags.ts';
import { addTag, moveTag, removeTag, saveTag } from './tag-changes.ts';

/** Serves tags, lines and documents for admins. Each change can be undone. */
export function serveTagContents(api: Api, context: ServerContext<TourTables>): void {
  context.jobs.register<CheckTagViewsPayload>(checkTagViewsJob, (run) => runCheckTagViews(context, run));
  context.scheduleCleanup(() => resumeTagViews(context));

  api.serve(listContentTags, ({ caller, params, query }) => listTags(context, caller, params.location, query));
  api.serve(getContentTag, ({ caller, params }) => readTagDetails(context, caller, params));
  api.serve(previewTagViews, (call) => previewViews(context, call.caller, call.params, call.query));
  api.serve(createTag, (call) => addTag(context, call, call.params.location, call.body));
  api.serve(updateTag, (call) => saveTag(context, call, call.params, call.body));
  api.serve(placeTag, (call) => moveTag(context, call, call.params, call.body));
  api.serve(deleteTag, (call) => removeTag(context, call, call.params, call.query.version));

  api.serve(listContentDocuments, ({ caller, params, query }) =>
    listDocuments(context, caller, params.location, query),
  );
  api.serve(getContentDocument, ({ caller, params }) => readDocumentDetails(context, caller, params));
  api.serve(createDocument, (call) => addDocument(context, call, call.params.location, call.body));
  api.serve(updateDocument, (call) => saveDocument(context, call, call.params, call.body));
  api.serve(deleteDocument, (call) => removeDocument(context, call, call.params, call.query.version));
  api.serveUpload(addRevision, revisionUpload, (call, upload) =>
    saveRevision(context, call, call.params, call.query, upload),
  );
  api.serve(updateRevision, (call) => saveRevisionData(context, call, call.params, call.body));
  api.serve(deleteRevision, (call) => removeRevision(context, call, call.params, call.query.version));
  api.serve(saveDocumentLinks, (call) => saveLinks(context, call, call.params.location, call.body));
}
