export function changedRef(words: readonly string[]): string | undefined;
export function changedFiles(root: string, ref: string): string[];
