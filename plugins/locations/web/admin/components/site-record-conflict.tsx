import type { SiteRecord } from '#core';
import { ConflictMessage } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import { listDifferingKeys, toSiteRecordValues, type SiteRecordKey } from '../stores/site-record-fields.ts';

export interface SiteRecordConflictProps {
  /** The record when the form was opened. */
  readonly original: SiteRecord;
  /** The record that the other person has saved. */
  readonly theirs: SiteRecord;
  /** The record as the form has it now. */
  readonly input: SiteRecord;
}

const labels: Readonly<Record<SiteRecordKey, string>> = {
  timeZone: 'locations.sites.timeZone',
  crs: 'locations.sites.crs',
  unit: 'locations.sites.unit',
  east: 'locations.sites.origin.east',
  north: 'locations.sites.origin.north',
  up: 'locations.sites.origin.up',
  rotation: 'locations.sites.rotation',
  datum: 'locations.sites.datum',
};

/** Names the values that the other person has changed, and those that the input would replace. */
export function SiteRecordConflict({ original, theirs, input }: SiteRecordConflictProps) {
  const t = useText();
  const formats = useFormats();
  const decimalSign = formats.number(0.5, 1).charAt(1);
  const [theirValues, inputValues] = [toSiteRecordValues(theirs), toSiteRecordValues(input)];
  const formatValue = (key: SiteRecordKey, value: string | number | null): string => {
    if (key === 'unit' || value === 'local') return t(`${labels[key]}.${value}`);
    if (typeof value === 'number') return Number.isNaN(value) ? '–' : String(value).replace('.', decimalSign);
    return value || t('locations.sites.emptyValue');
  };
  const differences = listDifferingKeys(theirs, original).map((key) => {
    const values = { field: t(labels[key]), theirs: formatValue(key, theirValues[key]) };
    return Object.is(theirValues[key], inputValues[key])
      ? t('locations.sites.recordAdopted', values)
      : t('locations.sites.recordReplaced', { ...values, input: formatValue(key, inputValues[key]) });
  });
  return (
    <ConflictMessage
      title={t('locations.sites.recordConflict')}
      hint={t('locations.sites.recordConflictHint')}
      differences={differences}
    />
  );
}
