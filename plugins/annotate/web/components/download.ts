/** Offers a file for saving. */
export function download(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The click has handed the address on; Safari reads it a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** A name that every file system takes. */
export const fileName = (name: string, ending: string): string =>
  `${
    name
      .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, ' ')
      .trim()
      .slice(0, 100) || 'snapshot'
  }.${ending}`;
