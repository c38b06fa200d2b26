/** Why a file cannot be read: a message id and the values of its placeholders. */
export class WorkbookError extends Error {
  constructor(message, values = {}, options = {}) {
    super(message, options);
    this.userMessage = { message, values };
  }
}
