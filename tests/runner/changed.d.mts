export function parseChangedOption(args: readonly string[]): string | undefined;
export function listChangedFiles(root: string, ref: string): string[];
