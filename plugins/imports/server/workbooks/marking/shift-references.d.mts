/** Moves the references to sheets of `shifted`, which has names in lower case. */
export function shiftFormula(formula: string, sheet: string, shifted: ReadonlySet<string>): string;
