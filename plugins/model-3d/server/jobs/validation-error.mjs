/**
 * A file that cannot be used: a message id of `contract/messages/` and its values, for the person who uploaded it.
 * `where`: the entry of a ZIP file that it is about.
 */
export class ValidationError extends Error {
  constructor(id, values = {}, where = undefined, options = undefined) {
    super(id, options);
    this.told = { message: id, values, ...(where === undefined ? {} : { where }) };
  }
}
