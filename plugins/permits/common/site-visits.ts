import type { SiteVisitStatus, StoredVisitStatus, VisitPurpose } from '../contract/index.ts';

/** The values of a visit that determine its status. Instants are milliseconds since 1970. */
export interface VisitTiming {
  readonly purpose: VisitPurpose;
  readonly status: StoredVisitStatus;
  /** As reported by the permit system, if at all. */
  readonly dueAt: number | null;
}

export interface Validity {
  readonly validFrom: number;
  readonly validTo: number;
}

const dayMs = 86_400_000;

/** Returns `dueAt` if it is set. Otherwise the purpose determines the due time within the validity. */
export function computeDueAt({ purpose, dueAt }: VisitTiming, { validFrom, validTo }: Validity): number {
  if (dueAt !== null) return dueAt;
  switch (purpose) {
    case 'PRE_ISSUE':
      return validFrom;
    case 'DURING_WORK':
      return Math.min(validFrom + dayMs, validTo);
    case 'CLOSE_OUT':
      return validTo;
  }
}

/** Combines the visits of a permit: DONE if any visit is done, NA if none is pending. */
export function computeVisitStatus(visits: readonly VisitTiming[], validity: Validity, now: number): SiteVisitStatus {
  if (visits.some(({ status }) => status === 'DONE')) return 'DONE';
  const pendingVisits = visits.filter(({ status }) => status === 'PENDING');
  if (pendingVisits.length === 0) return 'NA';
  return pendingVisits.some((visit) => now > computeDueAt(visit, validity)) ? 'OVERDUE' : 'PENDING';
}
