/**
 * What a server was given to run in does not do: a variable, the data folder, the port. The message is for who starts
 * it: what, why and the way out.
 */
export class ConfigurationError extends Error {
  /** By this name a command line knows it, also where it comes from a built server's own copy of this class. */
  override readonly name = 'ConfigurationError';
}
