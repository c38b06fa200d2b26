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

/** By extension; `application/octet-stream` if unknown. */
export function findMediaType(name: string): string {
  return byExtension[path.extname(name).slice(1).toLowerCase()] ?? 'application/octet-stream';
}

/** The `content-type` value. Drawings are stored in UTF-8 whatever their original encoding (`reduceSvg`). */
export function formatContentType(mediaType: string): string {
  return mediaType === 'image/svg+xml' ? `${mediaType}; charset=utf-8` : mediaType;
}

/** May contain scripts: served in a sandbox without any source. */
export function isActive(mediaType: string): boolean {
  return /^(text\/|application\/(xhtml\+)?xml|image\/svg)|\+xml|javascript/.test(mediaType.toLowerCase());
}

/** Whether browsers may display it inline; everything else is a download. */
export function isShownInline(mediaType: string): boolean {
  return /^(image|video|audio)\/|^application\/(pdf|json)$|^text\/plain\b/.test(mediaType.toLowerCase());
}
