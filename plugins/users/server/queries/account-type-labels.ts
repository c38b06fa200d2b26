import type { AccountType } from '#core';
import type { LocalizedText } from '#plugins/imports';

/** Names of the account types in workbooks, the same as on screens. */
export const accountTypeLabels: Readonly<Record<AccountType, LocalizedText>> = {
  TENANT_USER: { en: 'User', fr: 'Utilisateur' },
  TENANT_ADMIN: { en: 'Admin', fr: 'Administrateur' },
};
