/** Moves the references to sheets of `shiftedSheets`, which has names in lower case. */
export function shiftFormula(formula: string, sheet: string, shiftedSheets: ReadonlySet<string>): string;
