/**
 * Whether `if-none-match` names this strong tag, so that the answer is 304; weak comparison, as RFC 9110, 13.1.2 asks.
 */
export function etagMatches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((candidate) => {
    const trimmed = candidate.trim();
    return trimmed === '*' || trimmed.replace(/^W\//, '') === tag;
  });
}
