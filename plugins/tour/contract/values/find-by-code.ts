/** What has a code that may change. */
export interface Coded {
  readonly code: string;
  readonly formerCodes: readonly string[];
}

/** The one that has the code, else the one that had it before. */
export const findByCode = <T extends Coded>(entities: readonly T[], code: string): T | undefined =>
  entities.find((entity) => entity.code === code) ?? entities.find(({ formerCodes }) => formerCodes.includes(code));
