import path from 'node:path';
import { auditAreas } from '#core';
import { webPluginConforms } from '#core/testing/web';
import manifest from '../plugin.ts';
import en from './messages/en.json' with { type: 'json' };

const coreActions = [
  'accessRequest.changeUndone',
  'accessRequest.declined',
  'accessRequest.granted',
  'accessRequest.sent',
  'account.activated',
  'account.deactivated',
  'account.identityLinked',
  'account.invited',
  'account.passwordChanged',
  'account.passwordReset',
  'account.reactivated',
  'code.issued',
  'code.notIssued',
  'code.refused',
  'code.used',
  'location.changed',
  'location.created',
  'location.deleted',
  'location.moved',
  'location.changeUndone',
  'password.refused',
  'people.changeUndone',
  'people.changed',
  'people.roleAssigned',
  'pluginDataDropped',
  'role.activated',
  'role.changed',
  'role.changeUndone',
  'role.created',
  'role.deactivated',
  'session.ended',
  'session.renewalRefused',
  'sessions.ended',
  'signIn.refused',
  'signIn.succeeded',
  'site.saved',
];

webPluginConforms({
  folder: path.resolve('plugins/audit-log'),
  manifest,
  settings: {},
  messages: [
    ...['ALL', ...auditAreas].map((area) => `audit-log.area.${area}`),
    ...coreActions.map((action) => `audit-log.action.${action}`),
    ...Object.keys(en).filter((id) => id.startsWith('audit-log.detail.')),
  ],
});
