import { validate, type SiteRecord } from '#core';
import { siteRecordRules, SiteRecord as siteRecordSchema } from '#core/api';
import { getCheck } from '../kernel/body-checks.ts';
import { invalidRequest } from '../kernel/server-error.ts';

const checkShape = getCheck(siteRecordSchema, 'body');

/** @throws `invalidRequest` (400) with the fields that are wrong */
export function assertSiteRecord(record: SiteRecord): void {
  const verdict = checkShape(record);
  if (verdict !== true) throw verdict.error;
  const fields = validate(record, siteRecordRules);
  if (fields.length > 0) throw invalidRequest('The record of the site is not valid.', fields);
}
