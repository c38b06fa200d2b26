/*
 * LASzip's arithmetic coder (Isenburg, "LASzip: lossless compression of LiDAR data", 2013, after Said's FastAC).
 * laz-perf decodes points but not the chunk table, without which a compressed file has no random access.
 */

const minLength = 0x0100_0000;

/** An adaptive model of symbols 0 to `symbols` - 1. */
export class SymbolModel {
  readonly counts: Uint32Array;
  readonly distribution: Uint32Array;
  #total = 0;
  #cycle: number;
  #untilUpdate: number;

  constructor(symbols: number) {
    this.counts = new Uint32Array(symbols).fill(1);
    this.distribution = new Uint32Array(symbols);
    this.#cycle = symbols;
    this.#untilUpdate = 0;
    this.#update();
    this.#untilUpdate = this.#cycle = (symbols + 6) >> 1;
  }

  addSymbol(symbol: number): void {
    this.counts[symbol]!++;
    if (--this.#untilUpdate === 0) this.#update();
  }

  #update(): void {
    const { counts, distribution } = this;
    this.#total += this.#cycle;
    if (this.#total > 1 << 15) {
      this.#total = 0;
      for (let k = 0; k < counts.length; k++) this.#total += counts[k] = (counts[k]! + 1) >> 1;
    }
    const scale = Math.floor(0x8000_0000 / this.#total);
    for (let k = 0, sum = 0; k < counts.length; sum += counts[k]!, k++)
      distribution[k] = Math.floor((scale * sum) / 65_536);
    this.#cycle = Math.min((5 * this.#cycle) >> 2, (counts.length + 6) << 3);
    this.#untilUpdate = this.#cycle;
  }
}

/** An adaptive model of one bit. */
export class BitModel {
  probability = 1 << 12;
  #zeros = 1;
  #bitCount = 2;
  #cycle = 4;
  #untilUpdate = 4;

  addBit(bit: number): void {
    if (bit === 0) this.#zeros++;
    if (--this.#untilUpdate > 0) return;
    this.#bitCount += this.#cycle;
    if (this.#bitCount > 1 << 13) {
      this.#bitCount = (this.#bitCount + 1) >> 1;
      this.#zeros = (this.#zeros + 1) >> 1;
      if (this.#zeros === this.#bitCount) this.#bitCount++;
    }
    this.probability = Math.floor((Math.floor(0x8000_0000 / this.#bitCount) * this.#zeros) / 2 ** 18);
    this.#cycle = Math.min((5 * this.#cycle) >> 2, 64);
    this.#untilUpdate = this.#cycle;
  }
}

/** Decodes symbols and raw bits. Reads zeros past the end of the bytes. */
export class ArithmeticDecoder {
  readonly #bytes: Uint8Array;
  #offset = 0;
  #value = 0;
  #length = 0xffff_ffff;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    for (let k = 0; k < 4; k++) this.#value = ((this.#value << 8) | this.#readByte()) >>> 0;
  }

  decodeBit(model: BitModel): number {
    const split = model.probability * (this.#length >>> 13);
    const bit = this.#value >= split ? 1 : 0;
    if (bit === 0) this.#length = split;
    else {
      this.#value -= split;
      this.#length -= split;
    }
    this.#renormalize();
    model.addBit(bit);
    return bit;
  }

  decodeSymbol(model: SymbolModel): number {
    const { distribution } = model;
    const step = this.#length >>> 15;
    let low = 0;
    let high = distribution.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (step * distribution[middle]! > this.#value) high = middle;
      else low = middle;
    }
    const start = step * distribution[low]!;
    const end = high === distribution.length ? this.#length : step * distribution[high]!;
    this.#value -= start;
    this.#length = end - start;
    this.#renormalize();
    model.addSymbol(low);
    return low;
  }

  decodeBits(count: number): number {
    if (count > 19) {
      const low = this.decodeBits(16);
      return this.decodeBits(count - 16) * 65_536 + low;
    }
    this.#length >>>= count;
    const value = Math.floor(this.#value / this.#length);
    this.#value -= this.#length * value;
    this.#renormalize();
    return value;
  }

  #renormalize(): void {
    // Damaged data can make the interval empty. The caller detects the damage in the decoded values.
    if (this.#length <= 0) this.#length = minLength;
    while (this.#length < minLength) {
      this.#value = ((this.#value << 8) | this.#readByte()) >>> 0;
      this.#length = (this.#length << 8) >>> 0;
    }
  }

  #readByte(): number {
    return this.#bytes[this.#offset++] ?? 0;
  }
}

const maxModelBits = 8;

/** Decodes LASzip's differences of 32-bit integers. */
export class IntegerDecoder {
  readonly #decoder: ArithmeticDecoder;
  readonly #lengths: readonly SymbolModel[];
  readonly #bitModel = new BitModel();
  readonly #corrections = new Map<number, SymbolModel>();

  constructor(decoder: ArithmeticDecoder, contexts: number) {
    this.#decoder = decoder;
    this.#lengths = Array.from({ length: contexts }, () => new SymbolModel(33));
  }

  /** Decodes the next integer from its prediction. Wraps at 32 bits. */
  decodeNext(prediction: number, context: number): number {
    return (prediction + this.#decodeCorrection(this.#lengths[context]!)) | 0;
  }

  #decodeCorrection(lengths: SymbolModel): number {
    const length = this.#decoder.decodeSymbol(lengths);
    if (length === 0) return this.#decoder.decodeBit(this.#bitModel);
    if (length === 32) return -2_147_483_648;
    const rawBits = length > maxModelBits ? length - maxModelBits : 0;
    const model = this.#corrections.get(length) ?? new SymbolModel(1 << Math.min(length, maxModelBits));
    this.#corrections.set(length, model);
    let value = this.#decoder.decodeSymbol(model);
    if (rawBits > 0) value = value * 2 ** rawBits + this.#decoder.decodeBits(rawBits);
    return value >= 2 ** (length - 1) ? value + 1 : value - (2 ** length - 1);
  }
}
