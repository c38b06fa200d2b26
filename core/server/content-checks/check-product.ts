import type { ContentCheckResult, ContentFinding } from '#core/api';
import { LocationStore } from '../access/location-store.ts';
import type { WalkdownServer } from '../start/server.ts';
import { ContentChecks } from './content-checks.ts';

/** A check with findings. */
export interface CheckReport extends Pick<ContentCheckResult, 'id' | 'severity' | 'count'> {
  /** The first findings by name. */
  readonly findings: readonly ContentFinding[];
}

export interface ProductReport {
  /** Number of checks that ran. */
  readonly checks: number;
  readonly reports: readonly CheckReport[];
}

const maxShownFindings = 20;

/** Runs all checks over a whole product, for the command line. */
export async function checkContents({ registrar }: WalkdownServer): Promise<ProductReport> {
  const checks = registrar.services.find(ContentChecks, 'core');
  const locations = (await registrar.services.find(LocationStore, 'core').all()).map(({ uid }) => uid);
  const results = await checks.count(locations);
  const reports: CheckReport[] = [];
  for (const { id, severity, count } of results) {
    if (count === 0) continue;
    const { rows } = await checks.list(locations, id, { limit: maxShownFindings });
    reports.push({ id, severity, count, findings: rows });
  }
  return { checks: results.length, reports };
}

/** Formats a report as lines, errors first. */
export function formatReport({ checks, reports }: ProductReport): string {
  const sorted = [...reports].sort((a, b) => Number(b.severity === 'ERROR') - Number(a.severity === 'ERROR'));
  const lines = sorted.map(({ id, severity, count, findings }) => {
    const names = findings.map(({ name, location }) => `${name} (${location})`).join(', ');
    const omittedCount = count > findings.length ? ` and ${count - findings.length} more` : '';
    return `${severity === 'ERROR' ? 'error     ' : 'incomplete'}  ${id}  ${count}: ${names}${omittedCount}`;
  });
  return [...lines, `${checks} checks, ${reports.length} with findings.`].join('\n');
}
