/** Reads the passwords of the package's list, most common first. */
export function readPasswordList(): readonly string[];
/** Encodes passwords as sorted, concatenated prefixes of SHA-256 hashes. */
export function encodeCommonPasswords(list: readonly string[]): {
  readonly bytesPerHash: number;
  readonly hashes: string;
};
