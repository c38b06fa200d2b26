/** Actions that belong to core, whose texts this plugin has. Those of plugins have texts of their own. */
const coreOwners = new Set([
  'accessRequest',
  'account',
  'code',
  'core',
  'location',
  'password',
  'people',
  'role',
  'session',
  'sessions',
  'signIn',
  'site',
]);

/** The plugin that an action names, if it is one. */
export function findActionOwner(action: string): string | undefined {
  const owner = action.split('.', 1)[0] ?? '';
  return coreOwners.has(owner) ? undefined : owner;
}

/** Id of the text of an action. */
export function toActionMessage(action: string): string {
  const owner = findActionOwner(action);
  return owner === undefined
    ? `audit-log.action.${action.replace(/^core\./, '')}`
    : `${owner}.audit.${action.slice(owner.length + 1)}`;
}
