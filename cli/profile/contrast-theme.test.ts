import { wcagContrast } from 'culori';
import { describe, expect, it } from 'vitest';
import { contrastTheme } from './contrast-theme.ts';

const colors = Object.entries(contrastTheme).filter(
  (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].startsWith('#'),
);
const list = (name: RegExp): readonly (readonly [string, string])[] => colors.filter(([token]) => name.test(token));

describe('the high-contrast theme', () => {
  const surfaces = list(/^color(?:Neutral|Subtle|Transparent)(?:Card)?Background\w*(?:Hover|Pressed|Selected)$/).filter(
    ([name]) => !name.includes('Inverted'),
  );
  const texts = list(
    /^colorNeutralForeground\d(?:(?:Brand)?(?:Hover|Pressed|Selected)|Link)?$|^colorBrandForeground\d$/,
  );

  it('has no text that cannot be read on hovered, pressed and selected surfaces', () => {
    expect(surfaces.length).toBeGreaterThan(20);
    expect(texts.length).toBeGreaterThan(15);
    const unreadable = surfaces.flatMap(([surface, background]) =>
      texts.filter(([, color]) => wcagContrast(color, background) < 4.5).map(([name]) => `${name} on ${surface}`),
    );
    expect(unreadable).toEqual([]);
  });

  it('shows such surfaces on its pages', () => {
    const page = contrastTheme.colorNeutralBackground1;
    expect(surfaces.filter(([, color]) => wcagContrast(color, page) < 3)).toEqual([]);
  });
});
