import { describe, expect, it } from 'vitest';
import { inlineTokens } from './inline-tokens.ts';

describe('inlineTokens', () => {
  it('inlines tokens where they are used', () => {
    const source =
      "import { makeStyles, tokens } from '@fluentui/react-components';\nmakeStyles({ root: { color: " +
      'tokens.colorBrandForeground1, margin: `${tokens.spacingVerticalM} 0` } });';
    expect(inlineTokens(source)).toContain(
      'color: "var(--colorBrandForeground1)", margin: `${"var(--spacingVerticalM)"} 0`',
    );
  });

  it('inlines tokens that are imported from the kit', () => {
    expect(inlineTokens("import { tokens } from '#core/ui';\ntokens.zIndexBackground")).toContain(
      '"var(--zIndexBackground, 0)"',
    );
  });

  it('keeps unknown tokens and those of other modules', () => {
    const unknown = "import { tokens } from '#core/ui';\ntokens.madeUp; reply.tokens.colorBrandForeground1;";
    expect(inlineTokens(unknown)).toBe(unknown);
    const localImport = "import { tokens } from './session.ts';\ntokens.colorBrandForeground1";
    expect(inlineTokens(localImport)).toBe(localImport);
  });
});
