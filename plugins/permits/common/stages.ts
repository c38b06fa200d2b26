import type { PermitStage } from '../contract/index.ts';

/** The stages that usually follow each stage: the next, the previous, SUSPENDED and CLOSED. */
export const usualStageChanges: Readonly<Record<PermitStage, readonly PermitStage[]>> = {
  APPROVE_AND_AUTHORISE: ['ISSUE', 'CLOSED'],
  ISSUE: ['ACCEPT', 'APPROVE_AND_AUTHORISE', 'CLOSED'],
  ACCEPT: ['LIVE', 'ISSUE', 'CLOSED'],
  LIVE: ['SUSPENDED', 'CLOSED'],
  SUSPENDED: ['ISSUE', 'CLOSED'],
  CLOSED: [],
};

/** True for changes that a permit system usually reports. Unusual changes are recorded with a warning. */
export const isUsualStageChange = (from: PermitStage, to: PermitStage): boolean =>
  from === to || usualStageChanges[from].includes(to);
