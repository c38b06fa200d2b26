/** The hash window in bytes: no needle is shorter. */
export const minNeedleBytes = 10;
const tableBits = 20;
const factor = 0x01000193;

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
  const known = new Map<number, { readonly text: string; readonly bytes: Buffer }[]>();
  const table = new Uint8Array(2 ** tableBits);
  for (const text of new Set(needles)) {
    const bytes = Buffer.from(text);
    if (bytes.byteLength < minNeedleBytes) throw new Error(`'${text}' is too short to be looked for.`);
    const hash = startHash(bytes);
    known.set(hash, [...(known.get(hash) ?? []), { text, bytes }]);
    table[toSlot(hash)] = 1;
  }
  const found = new Map<string, Set<string>>();
  for (const [path, content] of files) {
    const file = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    for (const at of candidates(file, table))
      for (const { text, bytes } of known.get(startHash(file, at)) ?? [])
        if (file.compare(bytes, 0, bytes.byteLength, at, Math.min(at + bytes.byteLength, file.byteLength)) === 0)
          found.set(text, (found.get(text) ?? new Set()).add(path));
  }
  return new Map([...found].map(([text, paths]) => [text, [...paths]]));
}

/** Offsets where a needle may begin. */
function candidates(file: Uint8Array, table: Uint8Array): readonly number[] {
  const places: number[] = [];
  if (file.byteLength < minNeedleBytes) return places;
  let outFactor = 1;
  for (let power = 1; power < minNeedleBytes; power += 1) outFactor = Math.imul(outFactor, factor);
  let hash = startHash(file);
  for (let next = minNeedleBytes; ; next += 1) {
    const at = next - minNeedleBytes;
    if (table[toSlot(hash)] === 1) places.push(at);
    if (next >= file.byteLength) return places;
    hash = (Math.imul(hash - Math.imul(file[at] as number, outFactor), factor) + (file[next] as number)) | 0;
  }
}

function startHash(bytes: Uint8Array, from = 0): number {
  let hash = 0;
  for (let at = from; at < from + minNeedleBytes; at += 1) hash = (Math.imul(hash, factor) + (bytes[at] as number)) | 0;
  return hash;
}

function toSlot(hash: number): number {
  return (hash ^ (hash >>> tableBits)) & (2 ** tableBits - 1);
}
