export function changedRef(args: readonly string[]): string | undefined;
export function changedFiles(root: string, ref: string): string[];
