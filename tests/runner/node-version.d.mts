type Say = (text: string) => void;

export function parseNodeOption(args: readonly string[]): {
  readonly version: string | undefined;
  readonly rest: string[];
};
export function matchesVersion(found: string, requested: string): boolean;
export function nodePackage(platform?: string, arch?: string): string;
export function ensureNode(
  version: string,
  root: string,
  say: Say,
  install?: (spec: string, folder: string) => string | undefined,
): string;
export function nodeEnvironment(
  binary: string,
  environment?: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined>;
export function runOnOtherNode(script: string, args: readonly string[], root: string, say: Say): number | undefined;
