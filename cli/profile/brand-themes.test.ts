import { wcagContrast } from 'culori';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minimumContrast } from './brand-ramp.ts';
import { createBrandThemes } from './brand-themes.ts';
import { formatThemeCss } from './theme-css.ts';

const hexColor = fc
  .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }))
  .map((rgb) => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`);

describe('createBrandThemes', () => {
  it('keeps a bright colour on buttons with black text, and darkens only links', () => {
    const { light, dark, notes } = createBrandThemes('#FED801');
    for (const theme of [light, dark])
      expect([theme.colorBrandBackground, theme.colorNeutralForegroundOnBrand]).toEqual(['#fed801', '#000000']);
    expect(light.colorBrandForegroundLink).not.toBe('#fed801');
    expect(notes).toEqual([
      'White text on #FED801 would be illegible. Buttons have black text, and links use ' +
        `${light.colorBrandForegroundLink} in the light and ${dark.colorBrandForegroundLink} in the dark theme.`,
    ]);
    expect(formatThemeCss({ light, dark })).toContain('--colorNeutralForegroundOnBrand:#000000');
  });

  it('uses white text on a colour where it is legible', () => {
    const { light, dark, notes } = createBrandThemes('#3163A9');
    expect([light.colorBrandBackground, light.colorNeutralForegroundOnBrand]).toEqual(['#3163a9', '#ffffff']);
    expect([dark.colorNeutralForegroundOnBrand, notes]).toEqual(['#ffffff', []]);
  });

  it('reports the contrast of buttons and links for both themes', () => {
    expect(createBrandThemes('#3163A9').contrasts).toEqual([
      expect.stringMatching(
        /^Light theme: white text on buttons #3163a9 has a contrast of \d+\.\d:1, links #\w{6} have/,
      ),
      expect.stringMatching(/^Dark theme: white text on buttons #\w{6} has a contrast of \d+\.\d:1, links #\w{6} have/),
    ]);
  });

  it('keeps text legible on each state of a button, in light and dark, for any colour', () => {
    fc.assert(
      fc.property(hexColor, (color) => {
        const { light, dark } = createBrandThemes(color);
        for (const theme of [light, dark]) {
          for (const background of [
            theme.colorBrandBackground,
            theme.colorBrandBackgroundHover,
            theme.colorBrandBackgroundPressed,
            theme.colorBrandBackgroundSelected,
          ])
            expect(wcagContrast(theme.colorNeutralForegroundOnBrand, background)).toBeGreaterThanOrEqual(
              minimumContrast - 0.01,
            );
          for (const text of [theme.colorBrandForegroundLink, theme.colorBrandForeground1])
            expect(wcagContrast(text, theme.colorNeutralBackground1)).toBeGreaterThanOrEqual(minimumContrast - 0.01);
        }
      }),
      { numRuns: 300 },
    );
  });
});
