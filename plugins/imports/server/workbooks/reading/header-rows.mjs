/** The last row in which headers can be, as in `common/match-headers.ts`. */
export const maxHeaderRow = 15;
