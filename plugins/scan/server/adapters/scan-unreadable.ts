import { refusalIn, type LocalizedRefusal } from '#core';
import { scanRefusal } from '../../contract/errors.ts';

/**
 * A file that cannot be read as a scan. Its message tells the uploader what is wrong, in which part, and how to fix it.
 */
export class ScanUnreadable extends Error {
  override readonly name = 'ScanUnreadable';
  refusal: LocalizedRefusal;

  constructor(id: Parameters<typeof scanRefusal>[0], values?: LocalizedRefusal['values'], options?: ErrorOptions) {
    const refusal = scanRefusal(id, values);
    super(refusal.sentence, options);
    this.refusal = refusal;
  }

  /** Adds the name of the file to the message of one of several files. */
  addFileName(file: string): this {
    this.refusal = refusalIn(file, this.refusal);
    this.message = this.refusal.sentence;
    return this;
  }
}
