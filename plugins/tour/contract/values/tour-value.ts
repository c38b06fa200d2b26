/**
 * The key of a value that a plugin keeps in the tour's state. The plugin reads and writes it with `TourStore.read` and
 * `write`. A new tour resets it to `initial`.
 */
export interface TourValue<T> {
  /** `<plugin>.<value>`. */
  readonly name: string;
  readonly initial: T;
}

export const tourValue = <T>(name: string, initial: T): TourValue<T> => ({ name, initial });
