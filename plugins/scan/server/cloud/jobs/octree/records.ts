/**
 * Bytes of a point in the octree: x y z as doubles, intensity as float, red green blue as bytes, one byte of padding.
 */
export const recordBytes = 32;
const words = recordBytes / 4;

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
  position(index: number, axis: number): number {
    return this.#doubles[index * 4 + axis]!;
  }

  intensity(index: number): number {
    return this.#floats[index * words + 6]!;
  }

  /** @param channel 0, 1 or 2 for red, green, blue */
  color(index: number, channel: number): number {
    return this.bytes[index * recordBytes + 28 + channel]!;
  }

  add(x: number, y: number, z: number, intensity: number, red: number, green: number, blue: number): void {
    const at = this.count++;
    this.#doubles[at * 4] = x;
    this.#doubles[at * 4 + 1] = y;
    this.#doubles[at * 4 + 2] = z;
    this.#floats[at * words + 6] = intensity;
    this.bytes[at * recordBytes + 28] = red;
    this.bytes[at * recordBytes + 29] = green;
    this.bytes[at * recordBytes + 30] = blue;
  }

  /** Copies a point of another block, bit for bit. */
  take(other: Records, index: number): void {
    const from = index * words;
    const to = this.count++ * words;
    for (let k = 0; k < words; k++) this.#words[to + k] = other.#words[from + k]!;
  }
}
