import { refusalIn, type LocalizedRefusal } from '#core';
import { scanRefusal } from '../../contract/errors.ts';

/**
 * A file that cannot be read as a scan. The message is shown to the uploader: what is wrong, where, and how to fix it.
 */
export class ScanUnreadable extends Error {
  override readonly name = 'ScanUnreadable';
  userMessage: LocalizedRefusal;

  constructor(id: Parameters<typeof scanRefusal>[0], values?: LocalizedRefusal['values'], options?: ErrorOptions) {
    const userMessage = scanRefusal(id, values);
    super(userMessage.sentence, options);
    this.userMessage = userMessage;
  }

  /** Adds the name of the file, which is one of several. */
  in(file: string): this {
    this.userMessage = refusalIn(file, this.userMessage);
    this.message = this.userMessage.sentence;
    return this;
  }
}
