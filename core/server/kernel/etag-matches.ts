/**
 * Whether `if-none-match` contains this strong ETag, so that the reply is 304. Weak comparison as in RFC 9110, 13.1.2.
 */
export function etagMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((candidate) => {
    const trimmed = candidate.trim();
    return trimmed === '*' || trimmed.replace(/^W\//, '') === etag;
  });
}
