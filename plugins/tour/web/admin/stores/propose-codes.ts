import type { LocationNode } from '#core';

/** The maximum length of a code. */
export const maxCodeLength = 50;

/** Proposes the next unused code of the most frequent pattern, such as `N8` after `N1` to `N7`. */
export function proposeNodeCode(codes: readonly string[]): string {
  const takenCodes = new Set(codes.map((code) => code.toUpperCase()));
  const counts = new Map<string, number>();
  for (const code of codes) {
    const prefix = splitCode(code)?.prefix;
    if (prefix !== undefined) counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  const [prefix = 'N'] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  let last = 0;
  let digits = 1;
  for (const code of codes) {
    const parts = splitCode(code);
    if (parts?.prefix !== prefix) continue;
    last = Math.max(last, Number(parts.digits));
    if (parts.digits.startsWith('0')) digits = Math.max(digits, parts.digits.length);
  }
  for (let number = last + 1; ; number += 1) {
    const code = prefix + String(number).padStart(digits, '0');
    if (!takenCodes.has(code.toUpperCase())) return code;
  }
}

/** Proposes an unused code from the code of a location. */
export function proposeCodeFrom({ uid }: Pick<LocationNode, 'uid'>, codes: readonly string[]): string {
  const takenCodes = new Set(codes.map((code) => code.toUpperCase()));
  const base = uid
    .replaceAll(/[^A-Za-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, maxCodeLength - 4);
  if (base !== '' && !takenCodes.has(base.toUpperCase())) return base;
  for (let number = 2; ; number += 1) {
    const code = base === '' ? String(number) : `${base}-${number}`;
    if (!takenCodes.has(code.toUpperCase())) return code;
  }
}

/** Splits a code into a prefix and its final number. */
function splitCode(code: string): { readonly prefix: string; readonly digits: string } | undefined {
  const [, prefix, digits] = /^(.*?)(\d{1,9})$/.exec(code) ?? [];
  return prefix === undefined || digits === undefined ? undefined : { prefix, digits };
}
