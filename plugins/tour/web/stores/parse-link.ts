import { decodeViewParts } from '#core';
import type { LinkedView, MissingPart } from '#plugins/tour';

/** Trims codes, because links may have been scanned or copied with blanks. */
const readCode = (parameters: URLSearchParams, name: string): string | undefined =>
  parameters.get(name)?.trim() || undefined;

/**
 * Parses the query of a tour URL. `tag` or `node` alone are sufficient. Undefined if the query contains no part of
 * a view. Unreadable parts, and modules that are not in `modules`, are returned as missing parts.
 */
export function parseLink(
  query: string,
  modules: readonly string[],
): { readonly link: LinkedView; readonly missingParts: readonly MissingPart[] } | undefined {
  const parameters = new URLSearchParams(query);
  const { parts, unreadable } = decodeViewParts(query);
  const [tag, node] = [readCode(parameters, 'tag'), readCode(parameters, 'node')];
  const { module, beside, ...otherParts } = parts;
  const isKnown = (id: string | undefined): id is string => id !== undefined && modules.includes(id);
  const link: LinkedView = {
    ...otherParts,
    ...(isKnown(module) ? { module } : {}),
    ...(isKnown(beside) ? { beside } : {}),
    ...(node === undefined ? {} : { node }),
    ...(tag === undefined ? {} : { tag }),
  };
  const missingParts = [
    ...unreadable.map((name) => ({ message: 'tour.link.part', values: { name } })),
    ...[module, beside]
      .filter((id) => id !== undefined && !isKnown(id))
      .map((id) => ({ message: 'tour.link.module', values: { id: id ?? '' } })),
  ];
  return Object.keys(link).length + missingParts.length === 0 ? undefined : { link, missingParts };
}
