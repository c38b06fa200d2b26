/**
 * An environment variable, the data folder or the port cannot be used. The message tells the operator the reason and
 * the remedy.
 */
export class ConfigurationError extends Error {
  /** The command line identifies it by name, because a built server has its own copy of this class. */
  override readonly name = 'ConfigurationError';
}
