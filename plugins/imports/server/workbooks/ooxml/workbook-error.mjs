/** Why a file cannot be read: a message id of `imports.refused.` and the values of its placeholders. */
export class WorkbookError extends Error {
  constructor(message, values = {}, options = {}) {
    super(message, options);
    this.userMessage = { message: `imports.refused.${message}`, values };
  }
}
