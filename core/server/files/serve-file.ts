import { PassThrough } from 'node:stream';
import { Type } from 'typebox';
import type { Caller } from '../access/caller.ts';
import type { LocationStore } from '../access/location-store.ts';
import type { CoreApi } from '../kernel/core-part.ts';
import { etagMatches } from '../kernel/etag-matches.ts';
import { rawEndpoint, type RawCall } from '../kernel/raw-endpoint.ts';
import { restrictivePolicy } from '../kernel/security-headers.ts';
import { noAccess, notFound, rangeNotSatisfiable, unauthenticated } from '../kernel/server-error.ts';
import { parseByteRange } from './byte-range.ts';
import type { FileGuards } from './file-guards.ts';
import type { FileAudience, StoredFile } from './file-store.ts';
import { formatContentType, mayContainScripts, isShownInline, findMediaType } from './media-types.ts';
import { isEntryPath } from './entry-path.ts';
import type { StoredFiles } from './stored-files.ts';

const Id = Type.String({ pattern: '^[0-9a-f]{32}$' });
const fileQuery = Type.Object({
  download: Type.Optional(Type.Boolean({ description: 'Whether browsers save the file under its own name.' })),
});
/** A panorama has hundreds of tiles, and people look at many panoramas in a minute. */
const limitPerMinute = 60_000;

export const readFile = rawEndpoint({
  method: 'GET',
  path: '/api/files/:id',
  summary: 'Read a file, or the range of its bytes in the header `range`. The required access depends on the file.',
  access: 'byHandler',
  ticket: true,
  limitPerMinute,
  params: Type.Object({ id: Id }),
  query: fileQuery,
  produces: '*/*',
});

export const readFolderEntry = rawEndpoint({
  method: 'GET',
  path: '/api/files/:id/*',
  summary: 'Read one entry of a folder, such as a tile of a panorama.',
  access: 'byHandler',
  ticket: true,
  limitPerMinute,
  params: Type.Object({ id: Id, '*': Type.String({ maxLength: 200 }) }),
  query: fileQuery,
  produces: '*/*',
});

/** Serves files to people who may read them, with RFC 9110 ranges and conditional requests. */
export function serveFiles(api: CoreApi, files: StoredFiles, locations: () => LocationStore, guards: FileGuards): void {
  const find = async (id: string, caller: Caller | undefined): Promise<StoredFile> => {
    const file = await files.find(id);
    if (file === undefined) throw notFound('This file');
    await assertReadable(file, caller, locations, guards);
    return file;
  };

  api.serveRaw(readFile, async (call) => {
    const file = await find(call.params.id, call.caller);
    if (file.folder) throw notFound('This file');
    return send(call, files, { ...file, file: file.id, entryPath: undefined });
  });

  api.serveRaw(readFolderEntry, async (call) => {
    const path = call.params['*'];
    const folder = await find(call.params.id, call.caller);
    const entry = isEntryPath(path) ? await files.findEntry(folder.id, path) : undefined;
    if (entry === undefined) throw notFound('This file');
    return send(call, files, {
      ...entry,
      file: folder.id,
      entryPath: path,
      name: path.slice(path.lastIndexOf('/') + 1),
      mediaType: findMediaType(path),
      audience: folder.audience,
    });
  });
}

async function assertReadable(
  { id, audience }: StoredFile,
  caller: Caller | undefined,
  locations: () => LocationStore,
  guards: FileGuards,
): Promise<void> {
  if (audience.kind === 'public') return;
  if (caller === undefined) throw unauthenticated();
  const location = audience.kind === 'location' ? audience.location : '';
  if (audience.kind === 'location' && !(await locations().canAccess(caller, location))) throw noAccess();
  if (audience.guard !== undefined) await guards.assertReadable(audience.guard, { file: id, location, caller });
}

interface Representation extends Pick<StoredFile, 'name' | 'mediaType' | 'bytes' | 'sha256' | 'audience'> {
  readonly file: string;
  readonly entryPath: string | undefined;
}

/**
 * Files are immutable, so public ones are cached for ever. Protected ones are revalidated by ETag after an hour, and
 * guarded ones each time, because access is checked then. Logout clears the cache.
 */
const cacheControl = {
  public: 'public, max-age=31536000, immutable',
  protected: 'private, max-age=3600',
  guarded: 'private, no-cache',
} as const;

function formatCacheControl(audience: FileAudience): string {
  if (audience.kind === 'public') return cacheControl.public;
  return audience.guard !== undefined ? cacheControl.guarded : cacheControl.protected;
}

type Call = RawCall<typeof readFile> | RawCall<typeof readFolderEntry>;

async function send(
  { request, reply, query: queryParams }: Call,
  files: StoredFiles,
  representation: Representation,
): Promise<unknown> {
  const etag = `"${representation.sha256}"`;
  const cacheHeaders = { etag: etag, 'cache-control': formatCacheControl(representation.audience) };
  if (etagMatches(request.headers['if-none-match'], etag)) return reply.code(304).headers(cacheHeaders).send();

  const ifRange = request.headers['if-range'];
  const range = parseByteRange(
    ifRange === undefined || ifRange === etag ? request.headers.range : undefined,
    representation.bytes,
  );
  if (range === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${representation.bytes}`);
    throw rangeNotSatisfiable(representation.bytes);
  }

  // Opened before any header is set, because an error reply must not be cacheable.
  const content =
    request.method === 'HEAD'
      ? new PassThrough().end()
      : await files.open(representation.file, range === 'whole' ? undefined : range, representation.entryPath);
  void reply.headers({
    ...cacheHeaders,
    'accept-ranges': 'bytes',
    'content-type': formatContentType(representation.mediaType),
    'content-length': range === 'whole' ? representation.bytes : range.end - range.start + 1,
    'content-disposition': formatDisposition(
      representation.name,
      queryParams.download !== true && isShownInline(representation.mediaType),
    ),
    'x-content-type-options': 'nosniff',
    ...(mayContainScripts(representation.mediaType)
      ? { 'content-security-policy': `sandbox; ${restrictivePolicy}` }
      : {}),
  });
  if (range !== 'whole')
    void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${representation.bytes}`);
  return reply.send(content);
}

/** RFC 6266: an ASCII name for old clients, and the real name percent-encoded. */
function formatDisposition(name: string, inline: boolean): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
