export interface CellComment {
  /** The number that the spreadsheet shows. */
  readonly row: number;
  /** 1 for column A. */
  readonly column: number;
  readonly text: string;
}

export function createCommentsPart(comments: readonly CellComment[], author: string, namespace: string): string;
export function createCommentDrawing(comments: readonly CellComment[]): string;
