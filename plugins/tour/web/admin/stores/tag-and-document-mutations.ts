import type { BodyOf } from '#core';
import type { LastChangeStore } from '#core/ui-data';
import { sendFiles, type HttpClient } from '#core/web';
import type { Changed } from '#core/api';
import type {
  updateDocument,
  updateRevision,
  ContentDocument,
  ContentRevision,
  createDocument,
  deleteDocument,
  deleteRevision,
  saveDocumentLinks,
} from '../../../contract/api/document-content.ts';
import type { updateTag, ContentTag, createTag, deleteTag, placeTag } from '../../../contract/api/tag-content.ts';
import { ChangeRunner } from './change-runner.ts';

type DocumentRef = { readonly uid: string; readonly code: string };

/** Fields of a new revision. */
export interface NewRevision {
  readonly revision: string;
  readonly status: string;
  readonly issuedOn: string;
}

/**
 * Changes tags, lines and documents of a location, reloads them, and reports each change so that it can be undone.
 * Methods reject with `ApiError` if the server refuses, after outdated content was reloaded.
 */
export class TagAndDocumentMutations {
  readonly #http: HttpClient;
  readonly #location: string;
  readonly #runner: ChangeRunner;

  constructor(http: HttpClient, location: string, lastChange: LastChangeStore, reload: () => Promise<void>) {
    this.#http = http;
    this.#location = location;
    this.#runner = new ChangeRunner(http, lastChange, reload);
  }

  createTag(body: BodyOf<typeof createTag>): Promise<void> {
    const send = () =>
      this.#http.call<typeof createTag>('POST', '/api/tag-content/:location/tags', {
        params: { location: this.#location },
        body,
      });
    return this.#runner.run([send], 'tagCreated', { name: body.number });
  }

  updateTag(tag: string, body: BodyOf<typeof updateTag>): Promise<void> {
    const send = () =>
      this.#http.call<typeof updateTag>('PUT', '/api/tag-content/:location/tags/:tag', {
        params: { location: this.#location, tag },
        body,
      });
    return this.#runner.run([send], 'tagChanged', { name: body.number });
  }

  placeTag({ uid: tag, number }: ContentTag, body: BodyOf<typeof placeTag>): Promise<void> {
    const send = () =>
      this.#http.call<typeof placeTag>('PUT', '/api/tag-content/:location/tags/:tag/position', {
        params: { location: this.#location, tag },
        body,
      });
    return this.#runner.run([send], body.position ? 'tagPlaced' : 'tagUnplaced', { name: number });
  }

  deleteTag({ uid: tag, number, version }: ContentTag): Promise<void> {
    const send = () =>
      this.#http.call<typeof deleteTag>('DELETE', '/api/tag-content/:location/tags/:tag', {
        params: { location: this.#location, tag },
        query: { version },
      });
    return this.#runner.run([send], 'tagDeleted', { name: number });
  }

  createDocument(body: BodyOf<typeof createDocument>): Promise<void> {
    const send = () =>
      this.#http.call<typeof createDocument>('POST', '/api/document-content/:location/documents', {
        params: { location: this.#location },
        body,
      });
    return this.#runner.run([send], 'documentCreated', { name: body.code });
  }

  updateDocument(document: string, body: BodyOf<typeof updateDocument>): Promise<void> {
    const send = () =>
      this.#http.call<typeof updateDocument>('PUT', '/api/document-content/:location/documents/:document', {
        params: { location: this.#location, document },
        body,
      });
    return this.#runner.run([send], 'documentChanged', { name: body.code });
  }

  deleteDocument({ uid: document, code, version }: ContentDocument): Promise<void> {
    const send = () =>
      this.#http.call<typeof deleteDocument>('DELETE', '/api/document-content/:location/documents/:document', {
        params: { location: this.#location, document },
        query: { version },
      });
    return this.#runner.run([send], 'documentDeleted', { name: code });
  }

  addRevision(
    { uid, code }: DocumentRef,
    file: File,
    query: NewRevision,
    options: { readonly signal: AbortSignal; readonly onProgress: (fraction: number) => void },
  ): Promise<void> {
    const path = `/api/document-content/${encodeURIComponent(this.#location)}/documents/${encodeURIComponent(uid)}/revisions`;
    const send = () => sendFiles<Changed>(this.#http, path, [file], { query: { ...query }, ...options });
    return this.#runner.run([send], 'revisionAdded', { name: code });
  }

  updateRevision(
    { uid: document, code }: DocumentRef,
    revision: string,
    body: BodyOf<typeof updateRevision>,
  ): Promise<void> {
    const path = '/api/document-content/:location/documents/:document/revisions/:revision';
    const params = { location: this.#location, document, revision };
    const send = () => this.#http.call<typeof updateRevision>('PUT', path, { params, body });
    return this.#runner.run([send], 'revisionChanged', { name: code });
  }

  deleteRevision({ uid: document, code }: DocumentRef, { revision, version }: ContentRevision): Promise<void> {
    const path = '/api/document-content/:location/documents/:document/revisions/:revision';
    const request = { params: { location: this.#location, document, revision }, query: { version } };
    const send = () => this.#http.call<typeof deleteRevision>('DELETE', path, request);
    return this.#runner.run([send], 'revisionDeleted', { name: code });
  }

  linkDocument(tag: string, { uid: document, code }: DocumentRef): Promise<void> {
    return this.#saveLinks({ saved: [{ tag, document }], removed: [] }, 'documentLinked', code);
  }

  unlinkDocument(tag: string, { uid: document, code }: DocumentRef): Promise<void> {
    return this.#saveLinks({ saved: [], removed: [{ tag, document }] }, 'documentUnlinked', code);
  }

  #saveLinks(
    body: BodyOf<typeof saveDocumentLinks>,
    kind: 'documentLinked' | 'documentUnlinked',
    name: string,
  ): Promise<void> {
    const send = () =>
      this.#http.call<typeof saveDocumentLinks>('POST', '/api/document-content/:location/links', {
        params: { location: this.#location },
        body,
      });
    return this.#runner.run([send], kind, { name });
  }
}
