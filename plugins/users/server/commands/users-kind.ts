import { userTypes, type PersonMaster } from '#core';
import { coreRefusalTexts } from '#core/api';
import type { PeopleChanges, PeopleImport, PeopleTables } from '#core/server';
import type { ImportColumn, ImportKind, ImportSheet } from '#plugins/imports';
import { accountTypeLabels } from '../queries/account-type-labels.ts';

const usersSheetId = 'users';

/** Imports users. They are deactivated and never deleted, because contents refer to their authors. */
export const createUsersKind = (people: PeopleImport, changes: PeopleChanges): ImportKind<PeopleTables> => ({
  id: 'users.users',
  title: { en: 'Users', fr: 'Utilisateurs' },
  order: 40,
  access: 'userManagement',
  scope: 'NONE',
  personal: true,
  fileName: () => 'USER_IMPORT_FILE.xlsx',
  errorFileName: () => 'USER_IMPORT_ERROR_FILE.xlsx',
  files: [{ title: { en: 'Workbook', fr: 'Classeur' }, kind: 'EXCEL', required: true }],
  sheets: [createSheet(people)],
  sideEffect: {
    en: 'New active people are invited by mail as soon as the rows are applied. Undoing the import does not take the mails back.',
    fr: 'Les nouvelles personnes actives sont invitées par e-mail dès que les lignes sont appliquées. Annuler l’importation ne rappelle pas les e-mails déjà envoyés.',
  },
  readme: [
    {
      en: 'The people of the product. A row with a known email address changes the person. Any other row invites a person by mail. There are no passwords in this file.',
      fr: 'Les personnes du produit. Une ligne dont l’adresse e-mail existe modifie la personne, une autre l’invite par e-mail. Ce fichier ne contient aucun mot de passe.',
    },
    {
      en: 'People see the locations of their roles. An empty list of roles removes all roles that were assigned by hand. Without the column, the roles are kept. Roles from groups of the identity provider are not in this file.',
      fr: 'Les personnes voient les emplacements de leurs rôles. Une liste de rôles vide retire tous les rôles donnés à la main ; sans la colonne, les rôles restent. Les rôles issus de groupes du fournisseur d’identité ne sont pas dans ce fichier.',
    },
  ],
  messages: coreRefusalTexts,
  changes,
  apply: ({ recordedTransaction, rows }) => people.apply(recordedTransaction, rows(usersSheetId)),
});

function createSheet(people: PeopleImport): ImportSheet {
  const createMasterColumn = (id: PersonMaster, en: string, fr: string): ImportColumn => ({
    id,
    header: { en, fr },
    type: 'REFERENCE',
    maxLength: 100,
    reference: { entity: { en, fr }, find: () => people.listMasters(id) },
    note: { en: 'Name of an active master.', fr: 'Nom d’une donnée de référence active.' },
  });
  return {
    id: usersSheetId,
    name: 'Users',
    journalTable: 'user_account',
    columns: [
      {
        id: 'email',
        header: { en: 'Email', fr: 'E-mail' },
        synonymHeaders: ['Email Address', 'Mail', 'Mail Address', 'Adresse e-mail', 'Courriel', 'Adresse électronique'],
        type: 'EMAIL',
        required: true,
        key: true,
        maxLength: 254,
        note: { en: 'Finds the person, ignoring case.', fr: 'Identifie la personne, sans tenir compte de la casse.' },
      },
      {
        id: 'name',
        header: { en: 'Name', fr: 'Nom' },
        synonymHeaders: ['User', 'User Name', 'Full Name', 'Utilisateur', 'Nom complet', 'Nom et prénom'],
        type: 'NAME',
        required: true,
        maxLength: 120,
      },
      createMasterColumn('userType', 'User Type', 'Type d’utilisateur'),
      {
        id: 'accountType',
        header: { en: 'Account Type', fr: 'Type de compte' },
        type: 'ENUM',
        required: true,
        values: userTypes.map((value) => ({ value, label: accountTypeLabels[value] })),
        note: {
          en: 'An admin opens the admin area. What the person can do there depends on the roles.',
          fr: 'Un administrateur ouvre l’espace d’administration. Les droits y dépendent des rôles.',
        },
      },
      {
        id: 'isAdmin',
        header: { en: 'Is Admin', fr: 'Administrateur' },
        type: 'BOOLEAN',
        dependsOn: ['accountType'],
        note: {
          en: 'Y for the account type Admin, else N.',
          fr: 'Y pour le type de compte Administrateur, sinon N.',
        },
      },
      {
        id: 'status',
        header: { en: 'Status', fr: 'Statut' },
        synonymHeaders: ['State', 'État'],
        type: 'ENUM',
        required: true,
        values: [
          { value: 'Active', label: { en: 'Active', fr: 'Actif' } },
          { value: 'Inactive', label: { en: 'Inactive', fr: 'Inactif' } },
        ],
        note: {
          en: 'Invited people are active. Inactive ends all sessions of the person.',
          fr: 'Les personnes invitées sont actives. Inactif termine toutes les sessions de la personne.',
        },
      },
      createMasterColumn('businessUnit', 'Business Unit', 'Unité d’affaires'),
      createMasterColumn('division', 'Division', 'Division'),
      createMasterColumn('department', 'Department', 'Département'),
      createMasterColumn('section', 'Section', 'Section'),
      {
        id: 'roles',
        header: { en: 'Roles', fr: 'Rôles' },
        synonymHeaders: ['Role', 'Profile', 'Profil'],
        type: 'LIST',
        dependsOn: ['accountType', 'status'],
        reference: { entity: { en: 'Role', fr: 'Rôle' }, find: () => people.listRoles() },
        note: { en: 'Names of active roles, separated by ;', fr: 'Noms de rôles actifs, séparés par ;' },
      },
    ],
    current: () => people.current(),
    check: ({ rows, author }) => people.check(rows(usersSheetId), author),
  };
}
