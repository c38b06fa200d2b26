import type { PreparedFile } from '../../contract/api.ts';

/** Saves a file of the server under its name. */
export function downloadAddress({ address, name }: PreparedFile): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
