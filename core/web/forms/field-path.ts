type Child<T, K extends string> =
  NonNullable<T> extends readonly (infer Item)[] ? Item : K extends keyof NonNullable<T> ? NonNullable<T>[K] : never;

/** Path to a value in an object: `name`, `place.heading`, `place.position.0`. `Index` matches list indices. */
export type FieldPath<T, Index extends string = `${number}`> = T extends readonly (infer Item)[]
  ? Index | `${Index}.${FieldPath<NonNullable<Item>, Index>}`
  : T extends object
    ? { [K in keyof T & string]: K | `${K}.${FieldPath<NonNullable<T[K]>, Index>}` }[keyof T & string]
    : never;

export type ValueAt<T, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? ValueAt<Child<T, Key>, Rest>
  : Child<T, Path>;

/** The paths to values of a type. */
export type PathTo<T, Value> = {
  [Path in FieldPath<T>]: ValueAt<T, Path> extends Value ? Path : never;
}[FieldPath<T>];
