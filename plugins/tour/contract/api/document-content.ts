import { Type, type Static } from 'typebox';
import { endpoint, type Rule } from '#core';
import { BaseVersion, CalendarDay, Changed, LocationUid, NewUid, Page, pageQuery, Uid } from '#core/api';
import {
  documentCodeRules,
  maxNumberLength,
  maxRevisionLength,
  maxTitleLength,
  requiredTextPattern,
  statusPattern,
  titleRules,
} from '../values/tag-values.ts';

const DocumentCode = Type.String({ minLength: 1, maxLength: maxNumberLength, pattern: requiredTextPattern });
const Title = Type.String({ minLength: 1, maxLength: maxTitleLength, pattern: requiredTextPattern });
const Revision = Type.String({ minLength: 1, maxLength: maxRevisionLength, pattern: requiredTextPattern });
/** Suitability by ISO 19650-2 (UK national annex). */
const Status = Type.String({ pattern: statusPattern });
/** `YYYY-MM-DD`. */
const IssueDay = Type.String({ format: 'date', pattern: '^(19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}$' });
const rules = { code: documentCodeRules as readonly Rule[], title: titleRules as readonly Rule[] };

export type ContentRevision = Static<typeof ContentRevision>;
export const ContentRevision = Type.Object({
  revision: Type.String(),
  status: Type.String(),
  issuedOn: CalendarDay,
  /** URL and name of the file. */
  address: Type.String(),
  fileName: Type.String(),
  mediaType: Type.String(),
  bytes: Type.Integer(),
  version: Type.Integer(),
});

/** A document in the list for admins. */
export type ContentDocument = Static<typeof ContentDocument>;
export const ContentDocument = Type.Object({
  uid: Type.String(),
  code: Type.String(),
  title: Type.String(),
  location: Type.String(),
  /** Newest first. Visitors do not see documents without a revision. */
  revisions: Type.Array(ContentRevision),
  /** Number of tags and lines that the document describes. */
  tags: Type.Integer(),
  version: Type.Integer(),
});

export type ContentDocumentDetails = Static<typeof ContentDocumentDetails>;
export const ContentDocumentDetails = Type.Object({
  ...ContentDocument.properties,
  /** Latest first. */
  formerCodes: Type.Array(Type.String()),
  /** By number. Only tags and lines at locations that the caller can access. */
  linkedTags: Type.Array(Type.Object({ uid: Type.String(), number: Type.String(), description: Type.String() })),
});

const params = Type.Object({ location: LocationUid });
const documentParams = Type.Object({ location: LocationUid, document: Uid });
const revisionParams = Type.Object({ location: LocationUid, document: Uid, revision: Revision });
const versionQuery = Type.Object({ version: BaseVersion }, { additionalProperties: false });
const sharedShape = { access: 'configure', location: 'params.location' } as const;
const versionConflict = 'Replies 409 with the current version if the document was changed in the meantime.';

export const maxDocumentRows = 200;
export const listContentDocuments = endpoint('GET', '/api/document-content/:location', {
  summary:
    `Lists the documents at a location and below it for admins, by code, in pages of at most ${maxDocumentRows}. ` +
    '`text` is part of a code or a title.',
  ...sharedShape,
  params,
  query: Type.Object(
    {
      text: Type.Optional(Type.String({ maxLength: maxNumberLength })),
      sort: Type.Optional(Type.Enum(['code', 'title'])),
      descending: Type.Optional(Type.Literal('true')),
      ...pageQuery(maxDocumentRows),
    },
    { additionalProperties: false },
  ),
  reply: Page(ContentDocument),
});

export const getContentDocument = endpoint('GET', '/api/document-content/:location/documents/:document', {
  summary: 'Returns a document with its revisions and the tags that it describes, for admins.',
  ...sharedShape,
  params: documentParams,
  reply: ContentDocumentDetails,
});

const documentFields = { code: DocumentCode, title: Title, location: LocationUid };

export const createDocument = endpoint('POST', '/api/document-content/:location/documents', {
  summary: 'Creates a document without revisions. Replies 409 if the code is or was in use at the site.',
  ...sharedShape,
  params,
  body: Type.Object({ uid: NewUid, ...documentFields }, { additionalProperties: false }),
  rules,
  status: 201,
  reply: Changed,
});

export const updateDocument = endpoint('PUT', '/api/document-content/:location/documents/:document', {
  summary: `Changes code, title and location of a document. Its former code still finds it. ${versionConflict}`,
  ...sharedShape,
  params: documentParams,
  body: Type.Object({ ...documentFields, version: BaseVersion }, { additionalProperties: false }),
  rules,
  reply: Changed,
});

export const deleteDocument = endpoint('DELETE', '/api/document-content/:location/documents/:document', {
  summary: `Deletes a document with its revisions and its links to tags. ${versionConflict}`,
  ...sharedShape,
  params: documentParams,
  query: versionQuery,
  reply: Changed,
});

export const addRevision = endpoint('POST', '/api/document-content/:location/documents/:document/revisions', {
  summary:
    'Uploads a revision of a document as a form with one PDF, PNG, JPEG or WebP file. Replies 409 if the document has ' +
    'a revision of this name.',
  ...sharedShape,
  params: documentParams,
  query: Type.Object({ revision: Revision, status: Status, issuedOn: IssueDay }, { additionalProperties: false }),
  reply: Changed,
});

export const updateRevision = endpoint(
  'PUT',
  '/api/document-content/:location/documents/:document/revisions/:revision',
  {
    summary: `Changes status and issue date of a revision. ${versionConflict}`,
    ...sharedShape,
    params: revisionParams,
    body: Type.Object({ status: Status, issuedOn: IssueDay, version: BaseVersion }, { additionalProperties: false }),
    reply: Changed,
  },
);

export const deleteRevision = endpoint(
  'DELETE',
  '/api/document-content/:location/documents/:document/revisions/:revision',
  {
    summary: `Deletes a revision of a document. ${versionConflict}`,
    ...sharedShape,
    params: revisionParams,
    query: versionQuery,
    reply: Changed,
  },
);

const DocumentLink = Type.Object({ document: Uid, tag: Uid }, { additionalProperties: false });
const maxLinksPerRequest = 1000;

export const saveDocumentLinks = endpoint('POST', '/api/document-content/:location/links', {
  summary: 'Links documents to tags and lines of the same site, and removes links, all or none.',
  ...sharedShape,
  params,
  body: Type.Object(
    {
      saved: Type.Array(DocumentLink, { maxItems: maxLinksPerRequest }),
      removed: Type.Array(DocumentLink, { maxItems: maxLinksPerRequest }),
    },
    { additionalProperties: false },
  ),
  reply: Changed,
});
