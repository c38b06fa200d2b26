import { accessFlags, type AccessFlag } from './access.ts';

/** A thing to which a person can lack access: the feature of one flag, or an area that no single flag opens. */
export const accessSubjects = ['application', 'dashboards', 'tools', 'anyTour', 'anyLocation', ...accessFlags] as const;
export type AccessSubject = (typeof accessSubjects)[number];

const toolFlags: readonly AccessFlag[] = ['vrAccess', 'scanAccess', 'threeDimensionalAccess'];
const flagsByGroup: Readonly<Record<Exclude<AccessSubject, AccessFlag>, readonly AccessFlag[]>> = {
  application: [],
  dashboards: ['tourDashboardAccess', 'permitDashboardAccess'],
  tools: toolFlags,
  anyTour: toolFlags,
  anyLocation: [],
};

/** The flags of which a subject needs at least one. Empty if it needs none. */
export const listSubjectFlags = (subject: AccessSubject): readonly AccessFlag[] =>
  subject in flagsByGroup ? flagsByGroup[subject as keyof typeof flagsByGroup] : [subject as AccessFlag];

export const accessRequestStatuses = ['OPEN', 'GRANTED', 'DECLINED'] as const;
export type AccessRequestStatus = (typeof accessRequestStatuses)[number];

/** Maximum length of the reason in an access request, and of the answer to it. */
export const maxAccessReason = 500;
/** Maximum number of unanswered requests per person. */
export const maxOpenAccessRequests = 20;
/** Maximum number of requests per page. */
export const maxAccessRequestPage = 200;
