/**
 * Whether `if-none-match` contains this strong tag, so that the reply is 304; weak comparison as in RFC 9110, 13.1.2.
 */
export function etagMatches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((candidate) => {
    const trimmed = candidate.trim();
    return trimmed === '*' || trimmed.replace(/^W\//, '') === tag;
  });
}
