import type { PreparedFile } from '../../contract/api.ts';

/** Lets the browser download a file that the server has prepared. */
export function downloadFile({ address: url, name }: PreparedFile): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
