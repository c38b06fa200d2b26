/** A value of a tour's state that another plugin owns: read and written by `TourStore`, reset with the tour. */
export interface TourValue<T> {
  /** `<plugin>.<value>`. */
  readonly name: string;
  readonly initial: T;
}

export const tourValue = <T>(name: string, initial: T): TourValue<T> => ({ name, initial });
