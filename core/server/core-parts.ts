import { accessPart } from './access/access-part.ts';
import { accessRequestsPart } from './access-requests/access-requests-part.ts';
import { authPart } from './auth/auth-part.ts';
import { backupPart } from './backup/backup-part.ts';
import { changesPart } from './changes/changes-part.ts';
import { configurationPart } from './configuration/configuration-part.ts';
import { settingsPart } from './configuration/settings-part.ts';
import { signInContentPart } from './configuration/sign-in-content-part.ts';
import { contentChecksPart } from './content-checks/content-checks-part.ts';
import { eventsPart } from './events/events-part.ts';
import { filesPart } from './files/files-part.ts';
import { jobsPart } from './jobs/jobs-part.ts';
import type { CorePart } from './kernel/core-part.ts';
import { locationsPart } from './locations/locations-part.ts';
import { peoplePart } from './people/people-part.ts';
import { rolesPart } from './roles/roles-part.ts';
import { siteContentsPart } from './site-contents/site-contents-part.ts';
import { groupRolesPart } from './group-roles/group-roles-part.ts';

/**
 * Core's parts in the order of migration, mounting and starting; stopping is reversed. A part comes after the parts
 * whose services it needs while it is mounted. Jobs come last, because they may use all other parts.
 */
export const coreParts: readonly CorePart[] = [
  accessPart,
  authPart,
  backupPart,
  changesPart,
  peoplePart,
  rolesPart,
  groupRolesPart,
  accessRequestsPart,
  configurationPart,
  settingsPart,
  contentChecksPart,
  eventsPart,
  filesPart,
  locationsPart,
  signInContentPart,
  siteContentsPart,
  jobsPart,
];
