import { tokens } from '@fluentui/tokens';

/** Matches an import of Fluent's `tokens`, directly or through the kit. */
const tokensImport =
  /\bimport\s*\{[^}]*\btokens\b[^}]*\}\s*from\s*['"](?:@fluentui\/(?:tokens|react-theme|react-components)|#core\/ui|(?:\.\.?\/)+(?:ui\/)?base\.ts)['"]/;
const tokenUse = /(?<![.\w$])tokens\.([A-Za-z0-9]+)\b/g;
const tokenValues: Readonly<Record<string, string | undefined>> = tokens;

/**
 * Replaces `tokens.colorBrandBackground` by its value, `"var(--colorBrandBackground)"`, which keeps the table of all
 * tokens (30 kB) out of the bundle.
 */
export function inlineTokens(source: string): string {
  return tokensImport.test(source)
    ? source.replaceAll(tokenUse, (match, name: string) =>
        tokenValues[name] === undefined ? match : JSON.stringify(tokenValues[name]),
      )
    : source;
}
