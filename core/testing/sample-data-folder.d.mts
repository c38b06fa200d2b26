export function sampleDataFolder(root: string, environment?: Readonly<Record<string, string | undefined>>): string;
