import type { LocalizedError } from '#core';
import { validationTexts } from '#core/api';
import type { ImportColumn, ImportKind } from '#plugins/imports';
import { formatFindingCodes } from '../../common/code-labels.ts';
import english from '../../contract/messages/en.json' with { type: 'json' };
import french from '../../contract/messages/fr.json' with { type: 'json' };

export type WorkbookLanguage = 'en' | 'fr';

const texts: Readonly<Record<WorkbookLanguage, Readonly<Record<string, string>>>> = {
  en: { ...validationTexts.en, ...english },
  fr: { ...validationTexts.fr, ...french },
};

/** The sentence of a finding for a workbook, by the texts of core, imports and the kind. */
export function formatFinding(
  finding: LocalizedError,
  column: ImportColumn | undefined,
  language: WorkbookLanguage,
  { messages }: Pick<ImportKind<never>, 'messages'>,
): string {
  const { message, values = {} } = column ? formatFindingCodes(finding, column, language) : finding;
  const messageValues = { ...values, ...(column?.reference ? { entity: column.reference.entity[language] } : {}) };
  return (texts[language][message] ?? messages?.[language][message] ?? message).replaceAll(
    /\{(\w+)(?:, number)?\}/g,
    (placeholder, name: string) => String((messageValues as Readonly<Record<string, unknown>>)[name] ?? placeholder),
  );
}
