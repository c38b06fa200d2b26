export function escapeAttribute(text: string): string;
/** Escapes the text of a cell: also what XML cannot contain, as `_xHHHH_`. */
export function encodeCellText(text: string): string;
/** Formats 1 as `A`. */
export function toColumnLetters(column: number): string;
