/**
 * An unusable file: a message id of `contract/messages/` and its values, for the person who uploaded it. `where` is the
 * entry of a ZIP file.
 */
export class ValidationError extends Error {
  constructor(id, values = {}, where = undefined, options = undefined) {
    super(id, options);
    this.told = { message: id, values, ...(where === undefined ? {} : { where }) };
  }
}
