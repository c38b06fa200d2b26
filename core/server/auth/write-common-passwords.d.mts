/** The passwords of the package's list, the most common first. */
export function readPasswordList(): readonly string[];
/** What the server keeps: sorted beginnings of SHA-256 hashes, one after the other. */
export function encodeCommonPasswords(list: readonly string[]): {
  readonly bytesPerHash: number;
  readonly hashes: string;
};
