const revokeDelayMs = 1000;

/** Saves a blob as a file. */
export function downloadFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Safari reads the URL only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), revokeDelayMs);
}
