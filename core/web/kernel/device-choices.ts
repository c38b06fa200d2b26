import { basePath, cookieLifetimeSeconds, cookieNames } from '#core';

/** The value of a cookie that scripts can read; undefined if there is none. */
export function readCookie(name: string): string | undefined {
  const cookie = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`));
  return cookie === undefined ? undefined : decodeURIComponent(cookie.slice(name.length + 1));
}

/** Saves a choice on this device, so that the next page has its language and theme before any script runs. */
export function saveDeviceChoice(choice: 'language' | 'theme', value: string): void {
  document.cookie =
    `${cookieNames[choice]}=${encodeURIComponent(value)}; Path=${basePath}; ` +
    `Max-Age=${cookieLifetimeSeconds}; ` +
    'SameSite=Lax';
}

/** The language chosen on this device, else the browser's first supported language, else the product's first. */
export function chooseLanguage<L extends string>(available: readonly L[]): L {
  const candidates = [
    readCookie(cookieNames.language),
    ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()),
  ];
  const match = candidates
    .map((tag) => available.find((language) => language === tag))
    .find((language) => language !== undefined);
  const first = match ?? available[0];
  if (first === undefined) throw new Error('The profile lists no language. A product needs at least one.');
  return first;
}
