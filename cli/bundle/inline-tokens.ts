import { tokens } from '@fluentui/tokens';

/** An import of Fluent's `tokens`, directly or through the kit. */
const importsTokens =
  /\bimport\s*\{[^}]*\btokens\b[^}]*\}\s*from\s*['"](?:@fluentui\/(?:tokens|react-theme|react-components)|#core\/ui|(?:\.\.?\/)+(?:ui\/)?base\.ts)['"]/;
const use = /(?<![.\w$])tokens\.([A-Za-z0-9]+)\b/g;
const values: Readonly<Record<string, string | undefined>> = tokens;

/**
 * Replaces `tokens.colorBrandBackground` by its value, `"var(--colorBrandBackground)"`, which keeps the table of all
 * tokens (30 kB) out of the bundle.
 */
export function inlineTokens(source: string): string {
  return importsTokens.test(source)
    ? source.replaceAll(use, (whole, name: string) =>
        values[name] === undefined ? whole : JSON.stringify(values[name]),
      )
    : source;
}
