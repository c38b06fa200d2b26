/** The environment variable with the base URL of the API that the pages call. */
export const apiUrlVariable = 'WALKDOWN_API_ADDRESS';

/**
 * The base URL of the API for the pages; undefined if the API has the origin of the pages. Warns about a value that is
 * not an http or https URL, and ignores it.
 */
export function readApiUrl(
  environment: Readonly<Record<string, string | undefined>>,
  warn: (sentence: string) => void,
): string | undefined {
  const url = environment[apiUrlVariable]?.trim().replace(/\/+$/, '') ?? '';
  if (url === '') return undefined;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  warn(`${apiUrlVariable} is '${url}', which is not an http or https address. The pages call their own origin.`);
  return undefined;
}
