import { sql } from 'kysely';
import type { Rule, ValidationError } from '#core';
import { finding, importedRows, unionAll } from '#plugins/imports';
import type { SiteContents } from '#plugins/tour';
import { crossReferenceKinds, documentTypes, isolationMethods, isolationStates } from '../../../contract/index.ts';
import { toChoices } from './labels.ts';
import { createPartSheet, findRemovedPermits, permitReference, type PartSheet } from './part-sheet.ts';
import { text } from './sheet-sql.ts';

const error = (message: `permits.refused.${string}`, values?: ValidationError['values']): ValidationError => ({
  message,
  ...(values ? { values } : {}),
});

/** Documents are opened by an https address. Files cannot be uploaded with a workbook. */
const documentAddress: Rule = (value) => {
  const address = String(value);
  if (!/^[a-z][a-z0-9+.-]*:/i.test(address)) return error('permits.refused.fileMissing', { file: address });
  const isSafe = address.startsWith('https://') && URL.canParse(address) && new URL(address).username === '';
  return isSafe ? undefined : error('permits.refused.httpsOnly');
};

/** Documents of permits: addresses, or documents of the site. */
export const createDocumentsSheet = (contents: SiteContents): PartSheet =>
  createPartSheet({
    id: 'documents',
    name: 'Documents',
    table: 'document',
    unique: sql`permit, lower(title)`,
    fields: [
      {
        stored: 'title',
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
        stored: 'type',
        column: {
          id: 'type',
          header: { en: 'Type', fr: 'Type' },
          type: 'ENUM',
          values: toChoices(documentTypes),
          default: 'OTHER',
        },
      },
      {
        stored: 'url',
        column: {
          id: 'url',
          header: { en: 'File Name or URL', fr: 'Nom de fichier ou URL' },
          type: 'TEXT',
          maxLength: 2000,
          rules: [documentAddress],
          note: { en: 'An address that begins with https://.', fr: 'Une adresse qui commence par https://.' },
        },
      },
      {
        stored: 'document_uid',
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
            en: 'A document of the site, instead of an address.',
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
        stored: 'revision',
        column: { id: 'revision', header: { en: 'Revision', fr: 'Révision' }, type: 'TEXT', maxLength: 60 },
      },
    ],
  });

const referencesSheetId = 'crossReferences';

export const referencesSheet = createPartSheet({
  id: referencesSheetId,
  name: 'CrossReferences',
  table: 'cross_reference',
  unique: sql`permit, other`,
  fields: [
    {
      stored: 'other',
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
      stored: 'kind',
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
      findRemovedPermits(context, referencesSheetId, 'other'),
      sql`
        select ${finding('other', 'permits.refused.selfReference')}
        from (${importedRows(context, referencesSheetId)}) as row
        where lower(${text('permit')}) = lower(${text('other')})`,
    ),
});

export const isolationsSheet = createPartSheet({
  id: 'isolations',
  name: 'Isolations',
  table: 'isolation',
  unique: sql`permit, lower(certificate), lower(coalesce(tag, ''))`,
  fields: [
    {
      stored: 'certificate',
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
      stored: 'tag',
      column: { id: 'tag', header: { en: 'Tag', fr: 'Repère' }, type: 'TAGNO', key: true },
    },
    {
      stored: 'method',
      column: {
        id: 'method',
        header: { en: 'Method', fr: 'Méthode' },
        type: 'ENUM',
        values: toChoices(isolationMethods),
        default: 'OTHER',
      },
    },
    {
      stored: 'state',
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
