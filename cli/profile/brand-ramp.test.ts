import { createDarkTheme, createLightTheme } from '@fluentui/tokens';
import { wcagContrast } from 'culori';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBrandRamp, minimumContrast } from './brand-ramp.ts';

const hexColor = fc
  .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }))
  .map((rgb) => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`);

describe('createBrandRamp', () => {
  it('keeps a colour with legible white text', () => {
    const ramp = createBrandRamp('#3163A9');
    expect(ramp.light[80]).toBe('#3163a9');
    expect(ramp.darkenedTo).toBeUndefined();
  });

  it('darkens a colour that is too light for white text, and reports the result', () => {
    const ramp = createBrandRamp('#FED801');
    expect(ramp.darkenedTo).toBe(ramp.light[80]);
    expect(wcagContrast(ramp.light[80], '#ffffff')).toBeGreaterThanOrEqual(minimumContrast);
  });

  it('refuses an invalid colour', () => {
    expect(() => createBrandRamp('blueish')).toThrow(/blueish/);
  });

  it('keeps text legible in light and dark for any colour', () => {
    fc.assert(
      fc.property(hexColor, (color) => {
        const ramp = createBrandRamp(color);
        const light = createLightTheme(ramp.light);
        const dark = createDarkTheme(ramp.dark);
        const pairs: readonly (readonly [string, string])[] = [
          [light.colorBrandBackground, '#ffffff'],
          [light.colorBrandForegroundLink, light.colorNeutralBackground1],
          [light.colorBrandForeground1, light.colorNeutralBackground1],
          [dark.colorBrandBackground, '#ffffff'],
          [dark.colorBrandForegroundLink, dark.colorNeutralBackground1],
          [dark.colorBrandForeground1, dark.colorNeutralBackground1],
          // Rows of tables and cards under the pointer.
          [dark.colorBrandForegroundLink, dark.colorSubtleBackgroundHover],
          [dark.colorBrandForegroundLink, dark.colorNeutralBackground1Hover],
          [light.colorBrandForegroundLink, light.colorSubtleBackgroundHover],
        ];
        for (const [foreground, background] of pairs)
          expect(wcagContrast(foreground, background)).toBeGreaterThanOrEqual(minimumContrast - 0.01);
      }),
      { numRuns: 300 },
    );
  });
});
