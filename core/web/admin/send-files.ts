import type { HttpClient } from '../kernel/services.ts';

export interface SendFilesOptions {
  readonly fields?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Progress by bytes, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Uploads files as a form, without a time limit. Fields precede the files so that invalid fields are refused at once.
 *
 * @throws ApiError
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
