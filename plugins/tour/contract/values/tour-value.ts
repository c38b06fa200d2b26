/**
 * A value of the tour's state that another plugin owns. `TourStore` reads and writes it, and resets it with the tour.
 */
export interface TourValue<T> {
  /** `<plugin>.<value>`. */
  readonly name: string;
  readonly initial: T;
}

export const tourValue = <T>(name: string, initial: T): TourValue<T> => ({ name, initial });
