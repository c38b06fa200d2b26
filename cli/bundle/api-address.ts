/** The environment variable for the API's base address, as the pages call it. */
export const apiAddressVariable = 'WALKDOWN_API_ADDRESS';

/**
 * The base address of the API for the pages: undefined for their own origin, the default. Reports an invalid http(s)
 * address to `warn` and uses the default.
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
