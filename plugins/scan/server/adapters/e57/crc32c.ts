const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/** CRC-32C (Castagnoli, RFC 3720 appendix B.4) of `bytes` from `start` (inclusive) to `end` (exclusive). */
export function crc32c(bytes: Uint8Array, start: number, end: number): number {
  let computeCrc = 0xffffffff;
  for (let at = start; at < end; at++) computeCrc = (computeCrc >>> 8) ^ table[(computeCrc ^ bytes[at]!) & 255]!;
  return (computeCrc ^ 0xffffffff) >>> 0;
}
