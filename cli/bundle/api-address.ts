/** The environment variable with the base address of the API that the pages call. */
export const apiAddressVariable = 'WALKDOWN_API_ADDRESS';

/**
 * The base address of the API for the pages; undefined if the API has the origin of the pages. An address that is not
 * http or https is reported to `warn` and ignored.
 */
export function readApiAddress(
  environment: Readonly<Record<string, string | undefined>>,
  warn: (sentence: string) => void,
): string | undefined {
  const value = environment[apiAddressVariable]?.trim().replace(/\/+$/, '') ?? '';
  if (value === '') return undefined;
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  warn(`${apiAddressVariable} is '${value}', which is not an http or https address. The pages call their own origin.`);
  return undefined;
}
