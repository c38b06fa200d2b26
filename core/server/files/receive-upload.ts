import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { fileTypeFromFile, supportedExtensions } from 'file-type';
import { refusalIn, type LocalizedRefusal } from '#core';
import { coreRefusal } from '#core/api';
import { toPointer, validationMessages } from '../../common/validators/index.ts';
import {
  createSpaceCheckStream,
  diskFull,
  isDiskFull,
  type DiskSpaceMonitor,
  type SpaceCheck,
} from '../kernel/disk-space.ts';
import type { ServerConfig } from '../kernel/server-config.ts';
import { invalidRequest, ServerError, tooLarge, unavailable } from '../kernel/server-error.ts';
import { isStorableText } from '../kernel/storable-text.ts';
import { looksLikeSvg, sanitiseSvg } from './svg-allow-list.ts';

export interface UploadRules {
  /**
   * Accepted media types, detected by the bytes and never by the name. `application/octet-stream` accepts unrecognised
   * files.
   */
  readonly accept: readonly string[];
  /** The maximum size of one file. */
  readonly maximumBytes: number;
  /** The default is 1. */
  readonly maximumFiles?: number;
}

/** One file of a form, in a temporary folder until the handler ends. */
export interface ReceivedFile {
  /** The name of the form's field. */
  readonly field: string;
  /** The client's file name, without folders and control characters. */
  readonly name: string;
  /** Detected from the bytes. An SVG has been sanitised by `sanitiseSvg`. */
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
const maxSvgBytes = 5 * 1024 * 1024;
const sniffedBytes = 8 * 1024;
const maxFields = 50;
/** Upload folders older than this belong to killed servers, because no upload takes that long. */
const maxUploadAgeMs = 24 * 60 * 60 * 1000;

/** The temporary folder of uploads. */
export const uploadsFolder = (config: ServerConfig): string => path.join(config.dataFolder, 'uploads');

/**
 * Receives the files of a multipart request into a folder below `folder`, passes them to `handle`, and always removes
 * the folder.
 *
 * @throws `invalidRequest` (400) if the form is malformed or has no file, or if a file has another type; `tooLarge`
 *   (413); `diskFull` (503)
 */
export async function receiveUpload<T>(
  request: FastifyRequest,
  { folder, disk }: { readonly folder: string; readonly disk: DiskSpaceMonitor },
  rules: UploadRules,
  handle: (upload: ReceivedUpload) => Promise<T>,
): Promise<T> {
  const requestFolder = path.join(folder, randomBytes(12).toString('hex'));
  await mkdir(requestFolder, { recursive: true });
  try {
    return await handle(
      await Promise.race([receive(request, requestFolder, rules, disk.createSpaceCheck()), rejectOnAbort(request)]),
    );
  } finally {
    await rm(requestFolder, { recursive: true, force: true });
  }
}

/** Rejects if the connection is lost before the form ends. The parser misses a loss before it starts. */
function rejectOnAbort({ raw }: FastifyRequest): Promise<never> {
  return new Promise((_, reject) => {
    const check = (): void => {
      if (!raw.complete) reject(createBrokenFormError());
    };
    if (raw.destroyed) check();
    else raw.once('close', check);
  });
}

/**
 * Removes the uploads of killed servers. If no other process uses this folder, uploads of any age are removed.
 */
export async function removeOldUploads(folder: string, isOnlyProcess: boolean, now: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const uploadPath = path.join(folder, name);
    const changedAt = await stat(uploadPath).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
    if (isOnlyProcess || now - changedAt > maxUploadAgeMs) await rm(uploadPath, { recursive: true, force: true });
  }
}

async function receive(
  request: FastifyRequest,
  folder: string,
  rules: UploadRules,
  checkSpace: SpaceCheck,
): Promise<ReceivedUpload> {
  const maximumFiles = rules.maximumFiles ?? 1;
  const files: ReceivedFile[] = [];
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  try {
    const parts = request.parts({
      limits: {
        fileSize: rules.maximumBytes,
        files: maximumFiles,
        fields: maxFields,
        parts: maximumFiles + maxFields,
        fieldSize: 64 * 1024,
        fieldNameSize: 200,
        headerPairs: 50,
      },
    });
    for await (const part of parts) {
      if (part.type === 'file')
        files.push(await receiveFile(part, path.join(folder, String(files.length)), rules, checkSpace));
      else if (part.valueTruncated === true)
        throw tooLarge(coreRefusal('core.refused.fieldTooLong', { field: part.fieldname }));
      else {
        assertNotRepeated(fields, part.fieldname);
        fields[part.fieldname] = assertStorable(
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

/** Refuses repeated fields, because it would be arbitrary which value counts. */
function assertNotRepeated(fields: Readonly<Record<string, string>>, field: string): void {
  if (field in fields)
    throw invalidRequest(coreRefusal('core.refused.fieldRepeated', { field }), [
      { pointer: toPointer(field), message: validationMessages.duplicate, values: { value: field } },
    ]);
}

function assertStorable(field: string, value: string): string {
  if (isStorableText(field) && isStorableText(value)) return value;
  throw invalidRequest(coreRefusal('core.refused.fieldCharacters', { field: field.replaceAll('\0', '') }), [
    { pointer: toPointer(field), message: validationMessages.characters },
  ]);
}

async function receiveFile(
  part: MultipartFile,
  target: string,
  rules: UploadRules,
  checkSpace: SpaceCheck,
): Promise<ReceivedFile> {
  await pipeline(part.file, createSpaceCheckStream(checkSpace), createWriteStream(target, { flags: 'wx' }));
  const name = sanitiseName(part.filename);
  if (part.file.truncated) throw createLimitError(rules, name);
  const { mediaType, bytes } = await applyUploadRules(target, name, rules, part.fieldname);
  return {
    field: part.fieldname,
    name,
    mediaType,
    bytes,
    path: target,
    stream: () => createReadStream(target),
  };
}

/**
 * Applies the rules of an upload to a temporary file: checks its size, and its type as detected from its bytes.
 * Sanitises an SVG in place.
 *
 * @throws `tooLarge` (413); `invalidRequest` (400) with the name
 */
export async function applyUploadRules(
  file: string,
  name: string,
  rules: UploadRules,
  field = 'file',
): Promise<Pick<ReceivedFile, 'mediaType' | 'bytes'>> {
  if ((await stat(file)).size > rules.maximumBytes) throw createLimitError(rules, name);
  const { mediaType, extension } = await detectType(file);
  if (!rules.accept.includes(mediaType))
    throw invalidRequest(refusalIn(name, createTypeRefusal(name, extension)), [
      { pointer: `/${field}`, message: 'core.validation.fileType' },
    ]);
  if (mediaType === svgMediaType) await sanitiseDrawing(file);
  return { mediaType, bytes: (await stat(file)).size };
}

/** Extensions of file types that are detectable from the bytes of a file. */
const knownExtensions: ReadonlySet<string> = new Set([...supportedExtensions, 'jpeg', 'tiff']);

/**
 * Names a refused type by the extension of the file's name, which people recognise. `extension` belongs to the detected
 * type.
 */
function createTypeRefusal(name: string, extension: string | undefined): LocalizedRefusal {
  const nameExtension = path.extname(name).toLowerCase();
  const detectedExtension = extension === undefined ? '' : `.${extension}`;
  if (nameExtension === '' && detectedExtension === '') return coreRefusal('core.refused.fileNameless');
  const isSame = nameExtension === detectedExtension || (nameExtension === '.jpeg' && detectedExtension === '.jpg');
  if (nameExtension !== '' && detectedExtension !== '' && !isSame)
    return coreRefusal('core.refused.fileDisguised', { named: nameExtension, type: detectedExtension });
  if (detectedExtension === '' && knownExtensions.has(nameExtension.slice(1)))
    return coreRefusal('core.refused.fileContent', { named: nameExtension });
  return coreRefusal('core.refused.fileType', { type: nameExtension === '' ? detectedExtension : nameExtension });
}

/** Detects the type from the bytes. `extension` is undefined if they are not recognised. */
async function detectType(
  file: string,
): Promise<{ readonly mediaType: string; readonly extension: string | undefined }> {
  const detectedType = await fileTypeFromFile(file).catch(() => undefined);
  if (detectedType !== undefined && detectedType.mime !== 'application/xml')
    return { mediaType: detectedType.mime, extension: detectedType.ext };
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
    return looksLikeSvg(buffer.subarray(0, bytesRead))
      ? { mediaType: svgMediaType, extension: 'svg' }
      : { mediaType: detectedType?.mime ?? 'application/octet-stream', extension: detectedType?.ext };
  } finally {
    await handle.close();
  }
}

async function sanitiseDrawing(file: string): Promise<void> {
  const { size } = await stat(file);
  if (size > maxSvgBytes)
    throw tooLarge(coreRefusal('core.refused.drawingTooLarge', { megabytes: maxSvgBytes / 1024 / 1024 }));
  await writeFile(file, sanitiseSvg(await readFile(file, 'utf8')));
}

/** Removes folders, control characters and bidirectional overrides, and keeps the last 150 characters. */
function sanitiseName(name: string | undefined): string {
  const baseName = (name ?? '').normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const cleanName = baseName.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
  return cleanName === '' || /^\.+$/.test(cleanName) ? 'file' : [...cleanName].slice(-150).join('');
}

const limitCodes = new Set([
  'FST_REQ_FILE_TOO_LARGE',
  'FST_FILES_LIMIT',
  'FST_PARTS_LIMIT',
  'FST_FIELDS_LIMIT',
  'FST_ERR_CTP_BODY_TOO_LARGE',
]);
const storageCodes = new Set(['EMFILE', 'ENFILE', 'EIO', 'EROFS', 'EACCES', 'EPERM']);

/** The parser throws plain errors for malformed forms, so every error except a failure of our disk is the client's. */
function toRefusal(error: unknown, rules: UploadRules): ServerError {
  if (error instanceof ServerError) return error;
  if (isDiskFull(error)) return diskFull(error);
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (limitCodes.has(code))
    return code === 'FST_REQ_FILE_TOO_LARGE'
      ? createLimitError(rules)
      : tooLarge(coreRefusal('core.refused.tooManyParts', { count: rules.maximumFiles ?? 1 }));
  if (storageCodes.has(code)) return unavailable(coreRefusal('core.refused.uploadNotKept'), error);
  return createBrokenFormError();
}

const createBrokenFormError = (): ServerError => invalidRequest(coreRefusal('core.refused.uploadBroken'));

function createLimitError({ maximumBytes }: UploadRules, name?: string): ServerError {
  const refusal = coreRefusal('core.refused.fileTooLarge', {
    megabytes: Number((maximumBytes / 1024 / 1024).toFixed(1)),
  });
  return tooLarge(name === undefined ? refusal : refusalIn(name, refusal));
}
