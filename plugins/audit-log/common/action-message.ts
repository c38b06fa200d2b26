/** Actions that belong to core, whose texts this plugin has. Those of plugins have texts of their own. */
const coreOwners = new Set([
  'accessRequest',
  'account',
  'code',
  'configuration',
  'core',
  'groupRole',
  'location',
  'password',
  'people',
  'role',
  'secondFactor',
  'session',
  'sessions',
  'signIn',
  'site',
]);

/** The plugin that an action names, if it is one. */
function findActionOwner(action: string): string | undefined {
  const owner = action.split('.', 1)[0] ?? '';
  return coreOwners.has(owner) ? undefined : owner;
}

/** A message id, as core's actions have it as the name of what a plugin owns, such as of a setting. */
const messageId = /^([a-z][a-z0-9-]*)\.\w+\.[\w.]+$/;

/** The plugin whose texts an entry needs, beyond those of this plugin. */
export const findTextOwner = ({ action, name }: { readonly action: string; readonly name: string | null }) =>
  findActionOwner(action) ?? messageId.exec(name ?? '')?.[1];

/** Id of the text of an action. */
export function toActionMessage(action: string): string {
  const owner = findActionOwner(action);
  return owner === undefined
    ? `audit-log.action.${action.replace(/^core\./, '')}`
    : `${owner}.audit.${action.slice(owner.length + 1)}`;
}
