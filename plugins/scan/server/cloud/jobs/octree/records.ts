/**
 * Bytes of a point in the octree. It has three doubles for x, y and z, a float for the intensity, three bytes for red,
 * green and blue, and one byte of padding.
 */
export const recordBytes = 32;
const wordsPerRecord = recordBytes / 4;

/** A block of points in memory, written to files as is. */
export class Records {
  /** Capacity in points. */
  readonly capacity: number;
  count = 0;
  readonly bytes: Uint8Array;
  readonly #doubles: Float64Array;
  readonly #floats: Float32Array;
  readonly #words: Uint32Array;

  constructor(capacity: number) {
    const buffer = new ArrayBuffer(capacity * recordBytes);
    this.capacity = capacity;
    this.bytes = new Uint8Array(buffer);
    this.#doubles = new Float64Array(buffer);
    this.#floats = new Float32Array(buffer);
    this.#words = new Uint32Array(buffer);
  }

  /** @param axis 0, 1 or 2 */
  getPosition(index: number, axis: number): number {
    return this.#doubles[index * 4 + axis]!;
  }

  getIntensity(index: number): number {
    return this.#floats[index * wordsPerRecord + 6]!;
  }

  /** @param channel 0, 1 or 2 for red, green, blue */
  getColor(index: number, channel: number): number {
    return this.bytes[index * recordBytes + 28 + channel]!;
  }

  add(x: number, y: number, z: number, intensity: number, red: number, green: number, blue: number): void {
    const record = this.count++;
    this.#doubles[record * 4] = x;
    this.#doubles[record * 4 + 1] = y;
    this.#doubles[record * 4 + 2] = z;
    this.#floats[record * wordsPerRecord + 6] = intensity;
    this.bytes[record * recordBytes + 28] = red;
    this.bytes[record * recordBytes + 29] = green;
    this.bytes[record * recordBytes + 30] = blue;
  }

  /** Appends an exact copy of a point of another block. */
  copyFrom(other: Records, index: number): void {
    const from = index * wordsPerRecord;
    const to = this.count++ * wordsPerRecord;
    for (let k = 0; k < wordsPerRecord; k++) this.#words[to + k] = other.#words[from + k]!;
  }
}
