/**
 * The environment is unsuitable: a variable, the data folder or the port. The message tells the operator what is wrong,
 * why, and the remedy.
 */
export class ConfigurationError extends Error {
  /** The command line identifies it by name, because a built server has its own copy of this class. */
  override readonly name = 'ConfigurationError';
}
