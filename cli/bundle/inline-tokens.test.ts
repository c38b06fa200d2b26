import { describe, expect, it } from 'vitest';
import { inlineTokens } from './inline-tokens.ts';

describe('tokens', () => {
  it('are written out where they are used', () => {
    const source =
      "import { makeStyles, tokens } from '@fluentui/react-components';\nmakeStyles({ root: { color: " +
      'tokens.colorBrandForeground1, margin: `${tokens.spacingVerticalM} 0` } });';
    expect(inlineTokens(source)).toContain(
      'color: "var(--colorBrandForeground1)", margin: `${"var(--spacingVerticalM)"} 0`',
    );
  });

  it('keep what stands beside the name', () => {
    expect(inlineTokens("import { tokens } from '#core/ui';\ntokens.zIndexBackground")).toContain(
      '"var(--zIndexBackground, 0)"',
    );
  });

  it('that Fluent does not have, and those of others, stay as they are', () => {
    const unknown = "import { tokens } from '#core/ui';\ntokens.madeUp; reply.tokens.colorBrandForeground1;";
    expect(inlineTokens(unknown)).toBe(unknown);
    const own = "import { tokens } from './session.ts';\ntokens.colorBrandForeground1";
    expect(inlineTokens(own)).toBe(own);
  });
});
