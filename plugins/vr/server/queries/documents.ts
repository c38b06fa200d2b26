import { invalidRequest, type FileStore, type ReceivedUpload } from '#core/server';
import type { MarkerFile } from '#plugins/vr';

export const documentRules = { accept: ['application/pdf', 'image/jpeg', 'image/png'], maximumBytes: 20 * 1024 * 1024 } as const;

/** Keeps an uploaded document of a location; it becomes a marker's when the marker is kept with its id. */
export async function receiveDocument({ files }: { readonly files: FileStore }, location: string, { files: [file] }: ReceivedUpload): Promise<MarkerFile> {
  if (!file) throw invalidRequest('The form holds no file. Please choose one.');
  const { id, name, bytes } = await files.put({ name: file.name, mediaType: file.mediaType, audience: { kind: 'location', location } }, file.stream());
  return { id, name, bytes, address: files.address(id) };
}
