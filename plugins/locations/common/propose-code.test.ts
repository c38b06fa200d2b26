import { describe, expect, it } from 'vitest';
import { proposeCode } from './propose-code.ts';

describe('proposeCode', () => {
  it.each([
    ['Module M10', 'HB', 'HB-M10'],
    ['Deck 3', 'HB-M10', 'HB-M10-D3'],
    ['Cellar deck', 'HB', 'HB-CD'],
    ['Kestrel', undefined, 'KES'],
    ['Unité de traitement', 'HB', 'HB-UDT'],
    ['42', 'HB', 'HB-42'],
    ['  -- ', 'HB', ''],
    ['模块', 'HB', ''],
  ])('proposes for %j below %j the code %j', (name, parent, code) => {
    expect(proposeCode(name, parent, () => false)).toBe(code);
  });

  it('adds a number to a taken code and stays within 50 characters', () => {
    const takenCodes = new Set(['HB-M10', 'HB-M10-2']);
    expect(proposeCode('Module M10', 'HB', (code) => takenCodes.has(code))).toBe('HB-M10-3');
    const parent = 'P'.repeat(50);
    expect(proposeCode('M10', parent, (code) => code === parent)).toBe(`${'P'.repeat(48)}-2`);
  });
});
