import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { fileTypeFromFile } from 'file-type';
import { refusalIn, type LocalizedRefusal } from '#core';
import { coreRefusal } from '#core/api';
import { toPointer, validationMessages } from '../../common/validators/index.ts';
import { checkedByRoom, diskFull, isDiskFull, type DiskSpaceMonitor, type RoomCheck } from '../kernel/disk-space.ts';
import type { ServerConfig } from '../kernel/server-config.ts';
import { invalidRequest, ServerError, tooLarge, unavailable } from '../kernel/server-error.ts';
import { isStorableText } from '../kernel/storable-text.ts';
import { looksLikeSvg, safeSvg } from './svg-allow-list.ts';

export interface UploadRules {
  /**
   * Accepted media types, detected by the bytes and never by the name. `application/octet-stream` accepts unrecognised
   * files.
   */
  readonly accept: readonly string[];
  /** Per file. */
  readonly maximumBytes: number;
  /** Default 1. */
  readonly maximumFiles?: number;
}

/** One file of a form, in a temporary place until the handler ends. */
export interface ReceivedFile {
  /** Name of the form's field. */
  readonly field: string;
  /** The client's file name, without folders and control characters. */
  readonly name: string;
  /** Detected from the bytes. An SVG is already sanitised by `safeSvg`. */
  readonly mediaType: string;
  readonly bytes: number;
  readonly path: string;
  stream(): Readable;
}

export interface ReceivedUpload {
  /** At least one, in the order of the form. */
  readonly files: readonly ReceivedFile[];
  readonly fields: Readonly<Record<string, string>>;
}

const svgMediaType = 'image/svg+xml';
const largestSvg = 5 * 1024 * 1024;
const headBytes = 8 * 1024;
/** Upload folders older than this belong to a killed server; no upload takes that long. */
const idleTimeoutMs = 24 * 60 * 60 * 1000;

/** The temporary folder of uploads. */
export const uploadsFolder = (config: ServerConfig): string => path.join(config.dataFolder, 'uploads');

/**
 * Receives the files of a multipart request into a folder below `folder`, passes them to `handle`, and always removes
 * the folder.
 *
 * @throws `invalidRequest` (400) for a malformed form, one without a file, or a file of another type; `tooLarge` (413);
 *   `diskFull` (503)
 */
export async function receiveUpload<T>(
  request: FastifyRequest,
  { folder, disk }: { readonly folder: string; readonly disk: DiskSpaceMonitor },
  rules: UploadRules,
  handle: (upload: ReceivedUpload) => Promise<T>,
): Promise<T> {
  const own = path.join(folder, randomBytes(12).toString('hex'));
  await mkdir(own, { recursive: true });
  try {
    return await handle(await Promise.race([receive(request, own, rules, disk.roomCheck()), rejectOnAbort(request)]));
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Rejects if the connection is lost before the form ends: the parser does not notice a loss before its start. */
function rejectOnAbort({ raw }: FastifyRequest): Promise<never> {
  return new Promise((_, reject) => {
    const check = (): void => {
      if (!raw.complete) reject(broken());
    };
    if (raw.destroyed) check();
    else raw.once('close', check);
  });
}

/**
 * Removes the remains of killed servers. `alone`: no other process uses this folder, so nothing is spared for its age.
 */
export async function sweepUploads(folder: string, isOnlyProcess: boolean, now: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const place = path.join(folder, name);
    const changed = await stat(place).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
    if (isOnlyProcess || now - changed > idleTimeoutMs) await rm(place, { recursive: true, force: true });
  }
}

async function receive(
  request: FastifyRequest,
  folder: string,
  rules: UploadRules,
  checkRoom: RoomCheck,
): Promise<ReceivedUpload> {
  const maximumFiles = rules.maximumFiles ?? 1;
  const files: ReceivedFile[] = [];
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  try {
    const parts = request.parts({
      limits: {
        fileSize: rules.maximumBytes,
        files: maximumFiles,
        fields: 50,
        parts: maximumFiles + 50,
        fieldSize: 64 * 1024,
        fieldNameSize: 200,
        headerPairs: 50,
      },
    });
    for await (const part of parts) {
      if (part.type === 'file') files.push(await keep(part, path.join(folder, String(files.length)), rules, checkRoom));
      else if (part.valueTruncated === true)
        throw tooLarge(coreRefusal('core.refused.fieldTooLong', { field: part.fieldname }));
      else {
        assertFirst(fields, part.fieldname);
        fields[part.fieldname] = storable(
          part.fieldname,
          typeof part.value === 'string' ? part.value : JSON.stringify(part.value),
        );
      }
    }
  } catch (error) {
    throw toRefusal(error, rules);
  }
  if (files.length === 0)
    throw invalidRequest(coreRefusal('core.refused.noFile'), [{ pointer: '', message: 'core.validation.fileType' }]);
  return { files, fields };
}

/** Refuses duplicate fields: which value counts would be arbitrary. */
function assertFirst(fields: Readonly<Record<string, string>>, field: string): void {
  if (field in fields)
    throw invalidRequest(coreRefusal('core.refused.fieldRepeated', { field }), [
      { pointer: toPointer(field), message: validationMessages.duplicate, values: { value: field } },
    ]);
}

function storable(field: string, value: string): string {
  if (isStorableText(field) && isStorableText(value)) return value;
  throw invalidRequest(coreRefusal('core.refused.fieldCharacters', { field: field.replaceAll('\0', '') }), [
    { pointer: toPointer(field), message: validationMessages.characters },
  ]);
}

async function keep(
  part: MultipartFile,
  target: string,
  rules: UploadRules,
  checkRoom: RoomCheck,
): Promise<ReceivedFile> {
  await pipeline(part.file, checkedByRoom(checkRoom), createWriteStream(target, { flags: 'wx' }));
  if (part.file.truncated) throw aboveLimit(rules, safeName(part.filename));
  const { mediaType, extension } = await sniff(target);
  if (!rules.accept.includes(mediaType)) {
    const name = safeName(part.filename);
    throw invalidRequest(refusalIn(name, refusedType(name, extension)), [
      { pointer: `/${part.fieldname}`, message: 'core.validation.fileType' },
    ]);
  }
  if (mediaType === svgMediaType) await reduceDrawing(target);
  const { size } = await stat(target);
  return {
    field: part.fieldname,
    name: safeName(part.filename),
    mediaType,
    bytes: size,
    path: target,
    stream: () => createReadStream(target),
  };
}

/**
 * The type for the error message: the extension of the file's name, which people recognise. `extension`: of the
 * detected type; may be unknown.
 */
function refusedType(name: string, extension: string | undefined): LocalizedRefusal {
  const named = path.extname(name).toLowerCase();
  const held = extension === undefined ? '' : `.${extension}`;
  if (named === '' && held === '') return coreRefusal('core.refused.fileNameless');
  const isSame = named === held || (named === '.jpeg' && held === '.jpg');
  return named === '' || held === '' || isSame
    ? coreRefusal('core.refused.fileType', { type: named === '' ? held : named })
    : coreRefusal('core.refused.fileDisguised', { named, type: held });
}

/** Detects the type from the bytes; `extension` is undefined for unrecognised ones. */
async function sniff(file: string): Promise<{ readonly mediaType: string; readonly extension: string | undefined }> {
  const known = await fileTypeFromFile(file).catch(() => undefined);
  if (known !== undefined && known.mime !== 'application/xml') return { mediaType: known.mime, extension: known.ext };
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return looksLikeSvg(buffer.subarray(0, bytesRead))
      ? { mediaType: svgMediaType, extension: 'svg' }
      : { mediaType: known?.mime ?? 'application/octet-stream', extension: known?.ext };
  } finally {
    await handle.close();
  }
}

async function reduceDrawing(file: string): Promise<void> {
  const { size } = await stat(file);
  if (size > largestSvg)
    throw tooLarge(coreRefusal('core.refused.drawingTooLarge', { megabytes: largestSvg / 1024 / 1024 }));
  await writeFile(file, safeSvg(await readFile(file, 'utf8')));
}

/** Without folders, control characters and bidirectional overrides; at most 150 characters. */
function safeName(name: string | undefined): string {
  const last = (name ?? '').normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const cleaned = last.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
  return cleaned === '' || /^\.+$/.test(cleaned) ? 'file' : [...cleaned].slice(-150).join('');
}

const limitCodes = new Set([
  'FST_REQ_FILE_TOO_LARGE',
  'FST_FILES_LIMIT',
  'FST_PARTS_LIMIT',
  'FST_FIELDS_LIMIT',
  'FST_ERR_CTP_BODY_TOO_LARGE',
]);
const storageCodes = new Set(['EMFILE', 'ENFILE', 'EIO', 'EROFS', 'EACCES', 'EPERM']);

/** The parser throws plain errors for malformed forms: every error other than a failure of our disk is the client's. */
function toRefusal(error: unknown, rules: UploadRules): ServerError {
  if (error instanceof ServerError) return error;
  if (isDiskFull(error)) return diskFull(error);
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (limitCodes.has(code))
    return code === 'FST_REQ_FILE_TOO_LARGE'
      ? aboveLimit(rules)
      : tooLarge(coreRefusal('core.refused.tooManyParts', { count: rules.maximumFiles ?? 1 }));
  if (storageCodes.has(code)) return unavailable(coreRefusal('core.refused.uploadNotKept'), error);
  return broken();
}

const broken = (): ServerError => invalidRequest(coreRefusal('core.refused.uploadBroken'));

function aboveLimit({ maximumBytes }: UploadRules, name?: string): ServerError {
  const refusal = coreRefusal('core.refused.fileTooLarge', {
    megabytes: Number((maximumBytes / 1024 / 1024).toFixed(1)),
  });
  return tooLarge(name === undefined ? refusal : refusalIn(name, refusal));
}
