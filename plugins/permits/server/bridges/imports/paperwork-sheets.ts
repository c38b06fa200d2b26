import { sql } from 'kysely';
import type { Rule, ValidationError } from '#core';
import { finding, importedRows, unionAll } from '#plugins/imports';
import type { SiteContents } from '#plugins/tour';
import { crossReferenceKinds, documentTypes, isolationMethods, isolationStates } from '../../../contract/index.ts';
import { toChoices } from './labels.ts';
import { createPartSheet, findRemovedPermits, permitReference, type PartSheet } from './part-sheet.ts';
import { textValue } from './sheet-sql.ts';

const createError = (message: `permits.refused.${string}`, values?: ValidationError['values']): ValidationError => ({
  message,
  ...(values ? { values } : {}),
});

/** Accepts only https URLs, because files cannot be uploaded with a workbook. */
const documentUrl: Rule = (value) => {
  const url = String(value);
  if (!/^[a-z][a-z0-9+.-]*:/i.test(url)) return createError('permits.refused.fileMissing', { file: url });
  const isSafe = url.startsWith('https://') && URL.canParse(url) && new URL(url).username === '';
  return isSafe ? undefined : createError('permits.refused.httpsOnly');
};

/** Creates the sheet with the documents of permits, which are URLs or documents of the site. */
export const createDocumentsSheet = (contents: SiteContents): PartSheet =>
  createPartSheet({
    id: 'documents',
    name: 'Documents',
    table: 'document',
    uniqueKey: sql`permit, lower(title)`,
    fields: [
      {
        tableColumn: 'title',
        column: {
          id: 'title',
          header: { en: 'Title', fr: 'Titre' },
          type: 'TEXT',
          required: true,
          key: true,
          maxLength: 200,
        },
      },
      {
        tableColumn: 'type',
        column: {
          id: 'type',
          header: { en: 'Type', fr: 'Type' },
          type: 'ENUM',
          values: toChoices(documentTypes),
          default: 'OTHER',
        },
      },
      {
        tableColumn: 'url',
        column: {
          id: 'url',
          header: { en: 'File Name or URL', fr: 'Nom de fichier ou URL' },
          type: 'TEXT',
          maxLength: 2000,
          rules: [documentUrl],
          note: { en: 'A web address that begins with https://.', fr: 'Une adresse qui commence par https://.' },
        },
      },
      {
        tableColumn: 'document_uid',
        column: {
          id: 'document',
          header: { en: 'Document Code', fr: 'Code du document' },
          type: 'REFERENCE',
          maxLength: 50,
          reference: {
            entity: { en: 'documents', fr: 'documents' },
            find: ({ site }) => sql`
              select code, true as active from (${contents.select('DOCUMENT', site)}) as document`,
          },
          note: {
            en: 'A document of the site, instead of a web address.',
            fr: 'Un document du site, au lieu d’une adresse.',
          },
        },
        read: ({ site }) => sql`(
          select code from (${contents.select('DOCUMENT', site)}) as document where document.uid = part.document_uid)`,
        write: ({ site }) => sql`(
          select uid from (${contents.select('DOCUMENT', site)}) as document
          where lower(document.code) = lower(values ->> 'document') limit 1)`,
      },
      {
        tableColumn: 'revision',
        column: { id: 'revision', header: { en: 'Revision', fr: 'Révision' }, type: 'TEXT', maxLength: 60 },
      },
    ],
  });

const crossReferencesSheetId = 'crossReferences';

export const crossReferencesSheet = createPartSheet({
  id: crossReferencesSheetId,
  name: 'CrossReferences',
  table: 'cross_reference',
  uniqueKey: sql`permit, other`,
  fields: [
    {
      tableColumn: 'other',
      column: {
        id: 'other',
        header: { en: 'Other Permit', fr: 'Autre permis' },
        type: 'REFERENCE',
        required: true,
        key: true,
        maxLength: 50,
        ...(permitReference ? { reference: permitReference } : {}),
      },
      read: () => sql`(select number from permits.permit as other where other.uid = part.other)`,
      write: ({ site }) => sql`(
        select uid from permits.permit as other
        where other.site = ${site} and lower(other.number) = lower(values ->> 'other'))`,
    },
    {
      tableColumn: 'kind',
      column: {
        id: 'kind',
        header: { en: 'Kind', fr: 'Nature' },
        type: 'ENUM',
        values: toChoices(crossReferenceKinds),
        default: 'SAME_JOB',
      },
    },
  ],
  check: (context) =>
    unionAll(
      findRemovedPermits(context, crossReferencesSheetId, 'other'),
      sql`
        select ${finding('other', 'permits.refused.selfReference')}
        from (${importedRows(context, crossReferencesSheetId)}) as row
        where lower(${textValue('permit')}) = lower(${textValue('other')})`,
    ),
});

export const isolationsSheet = createPartSheet({
  id: 'isolations',
  name: 'Isolations',
  table: 'isolation',
  uniqueKey: sql`permit, lower(certificate), lower(coalesce(tag, ''))`,
  fields: [
    {
      tableColumn: 'certificate',
      column: {
        id: 'certificate',
        header: { en: 'Certificate No', fr: 'N° du certificat' },
        type: 'TAGNO',
        required: true,
        key: true,
        maxLength: 50,
      },
    },
    {
      tableColumn: 'tag',
      column: { id: 'tag', header: { en: 'Tag', fr: 'Repère' }, type: 'TAGNO', key: true },
    },
    {
      tableColumn: 'method',
      column: {
        id: 'method',
        header: { en: 'Method', fr: 'Méthode' },
        type: 'ENUM',
        values: toChoices(isolationMethods),
        default: 'OTHER',
      },
    },
    {
      tableColumn: 'state',
      column: {
        id: 'state',
        header: { en: 'State', fr: 'État' },
        type: 'ENUM',
        values: toChoices(isolationStates),
        default: 'PLANNED',
      },
    },
  ],
});
