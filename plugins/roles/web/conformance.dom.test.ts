import path from 'node:path';
import { accessFlags, accessRequestStatuses, accessSubjects, roleStatuses } from '#core';
import { webPluginConforms } from '#core/testing/web';
import { dashboardGroup, featureTabs, roleTemplates } from '../common/features.ts';
import manifest from '../plugin.ts';
import { roleChangeKinds } from './stores/roles-store.ts';

webPluginConforms({
  folder: path.resolve('plugins/roles'),
  manifest,
  settings: {},
  messages: [
    ...accessFlags.flatMap((flag) => [`roles.flag.${flag}`, `roles.flagHint.${flag}`]),
    ...accessSubjects.map((subject) => `roles.subject.${subject}`),
    ...featureTabs.flatMap(({ id, groups }) => [
      `roles.tab.${id}`,
      ...groups.map((group) => `roles.group.${group.id}`),
    ]),
    `roles.group.${dashboardGroup.id}`,
    ...roleTemplates.map(({ id }) => `roles.template.${id}`),
    ...['ALL', ...roleStatuses].map((status) => `roles.status.${status}`),
    ...['ALL', ...accessRequestStatuses].map((status) => `roles.requestStatus.${status}`),
    ...[...roleChangeKinds, 'granted', 'declined', 'groupAdded', 'groupRemoved'].flatMap((kind) => [
      `roles.done.${kind}`,
      `roles.undone.${kind}`,
    ]),
    ...['activate', 'deactivate'].flatMap((kind) => [
      `roles.${kind}`,
      `roles.${kind}Of`,
      `roles.${kind}Title`,
      `roles.${kind}Hint`,
    ]),
    ...['ACTIVE', 'INACTIVE', 'INVITED', 'REGISTERED'].map((status) => `roles.why.account.${status}`),
  ],
});
