/** The minimum length of a needle. The tables of the search cover only this many bytes of each needle. */
export const minNeedleBytes = 10;
const blockBytes = 4;
/** How far the search can move on after a block that occurs in no needle. */
const maxShift = minNeedleBytes - blockBytes + 1;
const tableBits = 18;

interface Needle {
  readonly text: string;
  readonly bytes: Buffer;
}

/**
 * Finds many texts in many files (Wu and Manber, 1994). Passes over each file once, however many texts there are, and
 * skips most of its bytes.
 *
 * @param needles texts of at least `minNeedleBytes` bytes
 * @param files contents by path
 * @returns paths of the files with each needle; needles that were not found are absent
 * @see https://webglimpse.net/pubs/TR94-17.pdf
 */
export function findTexts(
  needles: readonly string[],
  files: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, readonly string[]> {
  const { shifts, needlesByBlock } = indexNeedles(needles);
  const pathsByNeedle = new Map<string, Set<string>>();
  for (const [path, content] of files) {
    const file = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    for (const offset of findCandidates(file, shifts))
      for (const { text, bytes } of needlesByBlock.get(readBlock(file, offset + maxShift - 1)) ?? [])
        if (
          file.compare(bytes, 0, bytes.byteLength, offset, Math.min(offset + bytes.byteLength, file.byteLength)) === 0
        )
          pathsByNeedle.set(text, (pathsByNeedle.get(text) ?? new Set()).add(path));
  }
  return new Map([...pathsByNeedle].map(([text, paths]) => [text, [...paths]]));
}

/**
 * Returns two tables. `shifts`, indexed by the hash of a block, tells how far the search can move on without missing a
 * needle. `needlesByBlock` has the needles by the last block of their first `minNeedleBytes` bytes.
 */
function indexNeedles(needles: readonly string[]): {
  readonly shifts: Uint8Array;
  readonly needlesByBlock: ReadonlyMap<number, readonly Needle[]>;
} {
  const shifts = new Uint8Array(2 ** tableBits).fill(maxShift);
  const needlesByBlock = new Map<number, Needle[]>();
  for (const text of new Set(needles)) {
    const bytes = Buffer.from(text);
    if (bytes.byteLength < minNeedleBytes) throw new Error(`'${text}' is too short to search for.`);
    for (let offset = 0; offset < maxShift; offset += 1) {
      const index = toTableIndex(readBlock(bytes, offset));
      shifts[index] = Math.min(shifts[index] as number, maxShift - 1 - offset);
    }
    const lastBlock = readBlock(bytes, maxShift - 1);
    const needlesOfBlock = needlesByBlock.get(lastBlock);
    if (needlesOfBlock) needlesOfBlock.push({ text, bytes });
    else needlesByBlock.set(lastBlock, [{ text, bytes }]);
  }
  return { shifts, needlesByBlock };
}

/** Offsets where a needle may begin. */
function findCandidates(file: Uint8Array, shifts: Uint8Array): readonly number[] {
  const offsets: number[] = [];
  let offset = 0;
  while (offset <= file.byteLength - minNeedleBytes) {
    const shift = shifts[toTableIndex(readBlock(file, offset + maxShift - 1))] as number;
    if (shift === 0) offsets.push(offset);
    offset += Math.max(shift, 1);
  }
  return offsets;
}

function readBlock(bytes: Uint8Array, offset: number): number {
  return (
    (bytes[offset] as number) |
    ((bytes[offset + 1] as number) << 8) |
    ((bytes[offset + 2] as number) << 16) |
    ((bytes[offset + 3] as number) << 24)
  );
}

/** Multiplicative hashing: the upper bits depend on all bytes of the block. */
function toTableIndex(block: number): number {
  return Math.imul(block, 0x9e3779b1) >>> (32 - tableBits);
}
