import path from 'node:path';

const byExtension: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bin: 'application/octet-stream',
  gif: 'image/gif',
  glb: 'model/gltf-binary',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  webm: 'video/webm',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Finds the media type by the extension of a name. It is `application/octet-stream` if the extension is unknown. */
export function findMediaType(name: string): string {
  return byExtension[path.extname(name).slice(1).toLowerCase()] ?? 'application/octet-stream';
}

/** Formats the header `content-type`. Drawings are always stored in UTF-8 (`reduceSvg`). */
export function formatContentType(mediaType: string): string {
  return mediaType === 'image/svg+xml' ? `${mediaType}; charset=utf-8` : mediaType;
}

/** Whether a file of this type must be served in a sandbox. */
export function mayContainScripts(mediaType: string): boolean {
  return /^(text\/|application\/(xhtml\+)?xml|image\/svg)|\+xml|javascript/.test(mediaType.toLowerCase());
}

/** Whether browsers may display a file of this type inline. Other files are downloads. */
export function isShownInline(mediaType: string): boolean {
  return /^(image|video|audio)\/|^application\/(pdf|json)$|^text\/plain\b/.test(mediaType.toLowerCase());
}
