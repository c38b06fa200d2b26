import type { PermitType } from '../contract/index.ts';

/** Maximum validity in days, by type. Each site must confirm these defaults with its control-of-work procedure. */
export const maxValidityDays: Readonly<Record<PermitType, number>> = {
  general_permit: 14,
  hot_work_permit: 7,
  critical_permit: 7,
};

export const maxWorkRadiusMetres = 200;
export const maxZoneCorners = 200;
