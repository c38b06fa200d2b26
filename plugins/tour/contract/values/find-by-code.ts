/** An entity with a code that may change. */
export interface Coded {
  readonly code: string;
  readonly formerCodes: readonly string[];
}

/** Finds the entity by its current code, else by a former code. */
export const findByCode = <T extends Coded>(entities: readonly T[], code: string): T | undefined =>
  entities.find((entity) => entity.code === code) ?? entities.find(({ formerCodes }) => formerCodes.includes(code));
