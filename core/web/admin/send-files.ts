import type { HttpClient } from '../kernel/services.ts';

export interface SendFilesOptions {
  readonly fields?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** 0 to 1 of the bytes. */
  readonly onProgress: (share: number) => void;
}

/**
 * Sends files as a form, however long it takes. The fields go before the files, so that what is wrong in them is
 * refused at once. Rejects with `ApiError`.
 */
export function sendFiles<T>(
  http: HttpClient,
  url: string,
  files: readonly File[],
  { fields = {}, query = {}, signal, onProgress }: SendFilesOptions,
): Promise<T> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const file of files) form.append('file', file, file.name);
  return http.raw<T>({
    method: 'POST',
    url,
    params: query,
    data: form,
    timeout: 0,
    signal,
    onUploadProgress: ({ loaded, total }) => onProgress(total ? loaded / total : 0),
  });
}
