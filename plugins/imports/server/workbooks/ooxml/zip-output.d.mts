/** The chunks of an entry; called when its turn comes. */
export type EntryContent = string | (() => AsyncIterable<string | Uint8Array>);

/** Writes entries in order. Removes the file if it fails. */
export function writeZip(
  file: string,
  entries: Iterable<readonly [name: string, content: EntryContent]>,
): Promise<void>;
