/**
 * Thrown if a model file cannot be used. `id` is a message id of `contract/messages/`, which the person who uploaded
 * the file sees. `entryName` is the entry of a ZIP file.
 */
export class ValidationError extends Error {
  constructor(id, values = {}, entryName = undefined, options = undefined) {
    super(id, options);
    this.userMessage = { message: id, values, ...(entryName === undefined ? {} : { where: entryName }) };
  }
}
