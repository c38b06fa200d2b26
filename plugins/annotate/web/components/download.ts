/** Saves a blob as a file. */
export function download(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Safari reads the address some time after the click.
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** A name that is valid on every file system. */
export const fileName = (name: string, ending: string): string =>
  `${
    name
      .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, ' ')
      .trim()
      .slice(0, 100) || 'snapshot'
  }.${ending}`;
