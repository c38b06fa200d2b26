const revokeDelayMs = 1000;

/** Saves a blob as a file. */
export function downloadFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Safari reads the address only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), revokeDelayMs);
}
