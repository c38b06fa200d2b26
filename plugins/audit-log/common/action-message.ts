/** First parts of the actions of core. This plugin has their texts. Other plugins have the texts of their actions. */
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

/** Returns the id of the plugin that owns an action, or undefined for actions of core. */
function findActionOwner(action: string): string | undefined {
  const owner = action.split('.', 1)[0] ?? '';
  return coreOwners.has(owner) ? undefined : owner;
}

/** A message id. Actions of core use it as the name of an object that a plugin owns, such as a setting. */
const messageId = /^([a-z][a-z0-9-]*)\.\w+\.[\w.]+$/;

/** Returns the id of the other plugin whose texts an entry needs, if any. */
export const findTextOwner = ({ action, name }: { readonly action: string; readonly name: string | null }) =>
  findActionOwner(action) ?? messageId.exec(name ?? '')?.[1];

/** Returns the message id of an action. */
export function toActionMessage(action: string): string {
  const owner = findActionOwner(action);
  return owner === undefined
    ? `audit-log.action.${action.replace(/^core\./, '')}`
    : `${owner}.audit.${action.slice(owner.length + 1)}`;
}
