import type { PermitStage } from '../contract/index.ts';

/** The stages that usually follow each stage: one step on, one step back, suspension, closing. */
export const usualStageChanges: Readonly<Record<PermitStage, readonly PermitStage[]>> = {
  APPROVE_AND_AUTHORISE: ['ISSUE', 'CLOSED'],
  ISSUE: ['ACCEPT', 'APPROVE_AND_AUTHORISE', 'CLOSED'],
  ACCEPT: ['LIVE', 'ISSUE', 'CLOSED'],
  LIVE: ['SUSPENDED', 'CLOSED'],
  SUSPENDED: ['ISSUE', 'CLOSED'],
  CLOSED: [],
};

/** Whether the permit system is expected to report this change. Others are recorded with a warning. */
export const isUsualStageChange = (from: PermitStage, to: PermitStage): boolean =>
  from === to || usualStageChanges[from].includes(to);
