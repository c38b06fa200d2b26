import type { ContentChanges } from '#core/server';
import type { ImportKind } from '#plugins/imports';
import type { SiteContents } from '#plugins/tour';
import english from '../../../contract/messages/en.json' with { type: 'json' };
import french from '../../../contract/messages/fr.json' with { type: 'json' };
import type { PermitsTables } from '../../tables.ts';
import { createDocumentsSheet, isolationsSheet, crossReferencesSheet } from './paperwork-sheets.ts';
import { highRiskActivitiesSheet, assigneesSheet, siteVisitsSheet } from './people-sheets.ts';
import { createPermitsSheet, writePermits, writeChangeSources } from './permits-sheet.ts';

/** Imports the permits of a site with all their parts. */
export function createPermitsKind(
  changes: ContentChanges<PermitsTables>,
  contents: SiteContents,
): ImportKind<PermitsTables> {
  const partSheets = [
    assigneesSheet,
    highRiskActivitiesSheet,
    siteVisitsSheet,
    createDocumentsSheet(contents),
    crossReferencesSheet,
    isolationsSheet,
  ];
  const sheets = [createPermitsSheet(contents), ...partSheets.map(({ sheet }) => sheet)];
  return {
    id: 'permits.permits',
    title: { en: 'Permits', fr: 'Permis' },
    order: 60,
    access: 'permitAccess',
    scope: 'SITE',
    follows: 'tour.tags',
    fileName: (code) => `${code}_PERMIT_IMPORT_FILE.xlsx`,
    files: [{ title: { en: 'Workbook', fr: 'Classeur' }, kind: 'EXCEL', required: true }],
    sheets,
    readme: [
      {
        en: 'Permits to work of one site, as the permit system has them. A row with a known number changes that permit. Any other row adds a permit. A sheet that is left out changes nothing.',
        fr: 'Permis de travail d’un site, tels que le système de permis les contient. Une ligne dont le numéro existe modifie ce permis, une autre l’ajoute. Une feuille absente ne change rien.',
      },
      {
        en: 'Stages are taken as they are. A stage that does not usually follow the former one causes a warning. Each change is recorded in the history of the permit, and undoing an import adds to it.',
        fr: 'Les étapes sont reprises telles quelles. Une étape qui ne suit pas habituellement la précédente est un avertissement. Chaque modification figure dans l’historique du permis, et annuler un import s’y ajoute.',
      },
    ],
    messages: { en: english, fr: french },
    changes,
    apply: async (context) => {
      await writePermits(context, contents);
      for (const { write } of partSheets) await write(context);
      await writeChangeSources(context, sheets);
    },
  };
}
