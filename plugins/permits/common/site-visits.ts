import type { SiteVisitStatus, StoredVisitStatus, VisitPurpose } from '../contract/index.ts';

/** The part of a visit by which its status is computed. Instants are milliseconds. */
export interface VisitTiming {
  readonly purpose: VisitPurpose;
  readonly status: StoredVisitStatus;
  /** The value of the permit system. Null if it has none. */
  readonly dueAt: number | null;
}

export interface Validity {
  readonly validFrom: number;
  readonly validTo: number;
}

const dayMs = 86_400_000;

/** When a visit is due: as given, else by its purpose. Before issue at the start, at the end at closing. */
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

/** The status of all visits of a permit: done if any is done, not applicable if none is needed. */
export function computeVisitStatus(visits: readonly VisitTiming[], validity: Validity, now: number): SiteVisitStatus {
  if (visits.some(({ status }) => status === 'DONE')) return 'DONE';
  const pending = visits.filter(({ status }) => status === 'PENDING');
  if (pending.length === 0) return 'NA';
  return pending.some((visit) => now > computeDueAt(visit, validity)) ? 'OVERDUE' : 'PENDING';
}
