import { maxPeople, personMasters } from '#core';
import type { Person, PersonFilter } from '#core/api';
import type { PeopleLists } from '#core/server';
import type { ListedRows } from '#plugins/imports';
import { accountTypeLabels } from './account-type-labels.ts';

type Language = 'en' | 'fr';

const headers = [
  ['Name', 'Nom'],
  ['Email', 'E-mail'],
  ['Status', 'Statut'],
  ['Account Type', 'Type de compte'],
  ['User Type', 'Type d’utilisateur'],
  ['Section', 'Section'],
  ['Department', 'Département'],
  ['Division', 'Division'],
  ['Business Unit', 'Unité d’affaires'],
  ['Roles', 'Rôles'],
  ['Created (UTC)', 'Création (UTC)'],
] as const;

const statuses: Readonly<Record<Person['status'], Readonly<Record<Language, string>>>> = {
  INVITED: { en: 'Invited', fr: 'Invité' },
  REGISTERED: { en: 'Registered', fr: 'Inscrit' },
  ACTIVE: { en: 'Active', fr: 'Actif' },
  INACTIVE: { en: 'Inactive', fr: 'Inactif' },
};

/** Describes the workbook of the list without its rows. `day` is an ISO date. */
export const describeUserList = (language: Language, day: string): Omit<ListedRows, 'rows'> => ({
  name: `USER_LIST_${day.replaceAll('-', '')}.xlsx`,
  title: language === 'en' ? 'List of users' : 'Liste des utilisateurs',
  sheet: 'Users',
  columns: headers.map(([en, fr], index) => ({
    header: language === 'en' ? en : fr,
    kind: index === headers.length - 1 ? 'date' : 'text',
  })),
});

/** Reads the rows page by page. Cells are in the order of the columns of `describeUserList`. */
export async function* listUserRows(
  lists: PeopleLists,
  filter: PersonFilter,
  language: Language,
): AsyncIterable<readonly (string | Date | null)[]> {
  for (let offset = 0, total = Infinity; offset < total; offset += maxPeople) {
    const page = await lists.list({ ...filter, offset, limit: maxPeople });
    total = page.total;
    for (const person of page.rows) yield toCells(person, language);
  }
}

function toCells(person: Person, language: Language): readonly (string | Date | null)[] {
  const masters = personMasters.map((property) => {
    const master = person[property];
    return master && (language === 'fr' ? (master.frenchName ?? master.name) : master.name);
  });
  return [
    person.name,
    person.username,
    statuses[person.status][language],
    accountTypeLabels[person.accountType][language],
    ...masters,
    person.roles.map(({ name }) => name).join('; '),
    new Date(person.createdAt),
  ];
}
