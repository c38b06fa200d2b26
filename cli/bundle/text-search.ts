/** The hash window in bytes: no needle is shorter. */
export const minNeedleBytes = 10;
const tableBits = 20;
const hashFactor = 0x01000193;

/**
 * Finds many texts in many files at once (Rabin and Karp, 1987): one pass over each file, however many texts there are.
 *
 * @param needles texts of at least `minNeedleBytes` bytes
 * @param files contents by path
 * @returns paths of the files with each needle; needles that were not found are absent
 * @see https://doi.org/10.1147/rd.312.0249
 */
export function findTexts(
  needles: readonly string[],
  files: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, readonly string[]> {
  const needlesByHash = new Map<number, { readonly text: string; readonly bytes: Buffer }[]>();
  const table = new Uint8Array(2 ** tableBits);
  for (const text of new Set(needles)) {
    const bytes = Buffer.from(text);
    if (bytes.byteLength < minNeedleBytes) throw new Error(`'${text}' is too short to search for.`);
    const hash = computeHash(bytes);
    needlesByHash.set(hash, [...(needlesByHash.get(hash) ?? []), { text, bytes }]);
    table[toTableIndex(hash)] = 1;
  }
  const found = new Map<string, Set<string>>();
  for (const [path, content] of files) {
    const file = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    for (const offset of findCandidates(file, table))
      for (const { text, bytes } of needlesByHash.get(computeHash(file, offset)) ?? [])
        if (
          file.compare(bytes, 0, bytes.byteLength, offset, Math.min(offset + bytes.byteLength, file.byteLength)) === 0
        )
          found.set(text, (found.get(text) ?? new Set()).add(path));
  }
  return new Map([...found].map(([text, paths]) => [text, [...paths]]));
}

/** Offsets where a needle may begin. */
function findCandidates(file: Uint8Array, table: Uint8Array): readonly number[] {
  const offsets: number[] = [];
  if (file.byteLength < minNeedleBytes) return offsets;
  let firstByteFactor = 1;
  for (let power = 1; power < minNeedleBytes; power += 1) firstByteFactor = Math.imul(firstByteFactor, hashFactor);
  let hash = computeHash(file);
  for (let next = minNeedleBytes; ; next += 1) {
    const offset = next - minNeedleBytes;
    if (table[toTableIndex(hash)] === 1) offsets.push(offset);
    if (next >= file.byteLength) return offsets;
    hash =
      (Math.imul(hash - Math.imul(file[offset] as number, firstByteFactor), hashFactor) + (file[next] as number)) | 0;
  }
}

function computeHash(bytes: Uint8Array, from = 0): number {
  let hash = 0;
  for (let offset = from; offset < from + minNeedleBytes; offset += 1)
    hash = (Math.imul(hash, hashFactor) + (bytes[offset] as number)) | 0;
  return hash;
}

function toTableIndex(hash: number): number {
  return (hash ^ (hash >>> tableBits)) & (2 ** tableBits - 1);
}
