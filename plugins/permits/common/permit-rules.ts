import type { PermitType } from '../contract/index.ts';

/** Longest validity by type, days. Defaults that each site confirms with its control-of-work procedure. */
export const maxValidityDays: Readonly<Record<PermitType, number>> = {
  general_permit: 14,
  hot_work_permit: 7,
  critical_permit: 7,
};

/** Metres. */
export const maxWorkRadiusMetres = 200;
export const maxZoneCorners = 200;
