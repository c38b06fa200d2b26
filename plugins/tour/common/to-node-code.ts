const maxCodeLength = 50;

/**
 * The code that a viewpoint has if it is named after the file of its panorama: the name without its ending, with a dash
 * for everything that codes cannot contain. Empty if nothing is left.
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
