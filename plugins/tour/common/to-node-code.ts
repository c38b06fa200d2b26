const maxCodeLength = 50;

/** Converts the name of a panorama file to a node name: without folder and extension. Other names are unchanged. */
export const toNodeName = (fileName: string): string =>
  fileName.replace(/^(?:.*[/\\])?([^/\\]+)\.(?:jpe?g|png|webp|tiff?)$/i, '$1');

/**
 * Converts the name of a panorama file to a node code: without the extension, and with dashes for characters that codes
 * cannot contain. May be empty.
 */
export function toNodeCode(fileName: string): string {
  return fileName
    .replace(/^.*[/\\]/, '')
    .replace(/\.[A-Za-z]\w{1,4}$/, '')
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, maxCodeLength);
}
