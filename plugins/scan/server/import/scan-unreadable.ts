/** A file that cannot be read as a scan. The message is for the person who delivered it: what is wrong, where, and what helps. */
export class ScanUnreadable extends Error {
  override readonly name = 'ScanUnreadable';
}
