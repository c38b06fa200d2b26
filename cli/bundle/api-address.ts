/** The environment variable that names the API's base address for the pages. */
export const apiAddressVariable = 'WALKDOWN_API_ADDRESS';

/**
 * The base address of the API that the pages are to call: undefined for their own origin, which is the default.
 * A value that is no http or https address is said to `warn`, and the default stands.
 */
export function readApiAddress(
  environment: Readonly<Record<string, string | undefined>>,
  warn: (sentence: string) => void,
): string | undefined {
  const value = environment[apiAddressVariable]?.trim().replace(/\/+$/, '') ?? '';
  if (value === '') return undefined;
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  warn(`${apiAddressVariable} is '${value}', which is no http or https address: the pages call their own origin.`);
  return undefined;
}
