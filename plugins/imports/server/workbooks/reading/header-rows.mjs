/** The last row in which headers can be, as `maxChosenHeaderRow` in `contract/values.ts`. */
export const maxHeaderRow = 50;
