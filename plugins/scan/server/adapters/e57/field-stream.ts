import { ScanUnreadable } from '../scan-unreadable.ts';
import type { E57Field } from './e57-description.ts';

const maxBufferedBytes = 16 << 20;
/** Maximum bits of a value for the fast decoder. The value and its bit offset must fit into 53 bits of a double. */
const maxFastBits = 45;

/** The byte stream of one field of the points. A value may span two packets. */
export class FieldStream {
  readonly #field: Exclude<E57Field, { kind: 'text' }>;
  #bytes: Buffer = Buffer.alloc(0);
  #bitOffset = 0;

  constructor(field: Exclude<E57Field, { kind: 'text' }>) {
    this.#field = field;
  }

  /** Number of complete values in the buffer. */
  get bufferedCount(): number {
    const { bits } = this.#field;
    return bits === 0 ? Number.POSITIVE_INFINITY : Math.floor((this.#bytes.length * 8 - this.#bitOffset) / bits);
  }

  push(bytes: Buffer): void {
    const readBytes = this.#bitOffset >> 3;
    this.#bytes = Buffer.concat([this.#bytes.subarray(readBytes), bytes]);
    this.#bitOffset -= readBytes * 8;
    if (this.#bytes.length > maxBufferedBytes)
      throw new ScanUnreadable('scan.refused.e57Uneven', { field: this.#field.name });
  }

  /** Reads the next `count` values, which must be in the buffer. */
  read(count: number): Float64Array {
    const field = this.#field;
    const out = new Float64Array(count);
    if (field.kind === 'float') this.#readFloats(out, field.bits);
    else if (field.bits === 0) out.fill(field.minimum);
    else if (field.bits <= maxFastBits)
      this.#readIntegers(out, field.bits, Number(field.rawMinimum), field.scale, field.offset);
    else this.#readLongIntegers(out, field);
    this.#bitOffset += count * field.bits;
    return out;
  }

  #readFloats(out: Float64Array, bits: 32 | 64): void {
    const bytes = this.#bytes;
    const start = this.#bitOffset >> 3;
    if (bits === 32) for (let k = 0; k < out.length; k++) out[k] = bytes.readFloatLE(start + 4 * k);
    else for (let k = 0; k < out.length; k++) out[k] = bytes.readDoubleLE(start + 8 * k);
  }

  #readIntegers(out: Float64Array, bits: number, lowest: number, scale: number, offset: number): void {
    const bytes = this.#bytes;
    const modulus = 2 ** bits;
    for (let k = 0, bit = this.#bitOffset; k < out.length; k++, bit += bits) {
      const firstByte = bit >> 3;
      const lastByte = (bit + bits - 1) >> 3;
      let value = 0;
      for (let at = lastByte; at >= firstByte; at--) value = value * 256 + bytes[at]!;
      out[k] = ((Math.floor(value / 2 ** (bit & 7)) % modulus) + lowest) * scale + offset;
    }
  }

  #readLongIntegers(out: Float64Array, field: Extract<E57Field, { kind: 'integer' }>): void {
    const bytes = this.#bytes;
    const mask = (1n << BigInt(field.bits)) - 1n;
    for (let k = 0, bit = this.#bitOffset; k < out.length; k++, bit += field.bits) {
      let value = 0n;
      for (let at = (bit + field.bits - 1) >> 3; at >= bit >> 3; at--) value = (value << 8n) | BigInt(bytes[at]!);
      out[k] = Number(((value >> BigInt(bit & 7)) & mask) + field.rawMinimum) * field.scale + field.offset;
    }
  }
}
