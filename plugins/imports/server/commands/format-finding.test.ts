import { expect, it } from 'vitest';
import { formatFinding } from './format-finding.ts';

const messages = { en: { 'tour.refused.x': '{code} has a plan' }, fr: { 'tour.refused.x': '{code} a un plan' } };

it('writes findings in the language of the workbook, also with the messages of the kind', () => {
  const format = (message: string, language: 'en' | 'fr') =>
    formatFinding({ message, values: { code: 'MD-1' } }, undefined, language, { messages });
  expect(format('tour.refused.x', 'fr')).toBe('MD-1 a un plan');
  expect(format('tour.refused.x', 'en')).toBe('MD-1 has a plan');
  expect(format('core.validation.mandatoryField', 'fr')).not.toMatch(/^core/);
  expect(format('other.refused.x', 'en')).toBe('other.refused.x');
});
