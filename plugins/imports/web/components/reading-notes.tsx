import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import { useAdminStyles } from '#core/ui-data';
import { I18n, useService, useText } from '#core/web';
import type { Import, ImportKindInfo } from '../../contract/api.ts';
import { readColumns } from '../stores/column-choice.ts';
import { listReadings, type ListedReading } from '../stores/list-readings.ts';

/** One line per column: as what its values are read, and what decides that. */
export const ReadingNotes = observer(function ReadingNotes({
  readings,
  toAction,
}: {
  readonly readings: readonly ListedReading[];
  /** A control at the end of a line. */
  readonly toAction?: (reading: ListedReading) => ReactNode;
}) {
  const t = useText();
  const admin = useAdminStyles();
  const { language } = useService(I18n);
  if (readings.length === 0) return null;
  return (
    <ul className={admin.report}>
      {readings.map((reading) => {
        const { header, column, format, by, examples } = reading;
        return (
          <li key={`${column.id} ${header}`}>
            {t(`imports.readings.by.${by ?? 'CHOSEN'}`, {
              column: column.header[language],
              format: t(`imports.readings.format.${format ?? 'AS_WRITTEN'}`),
              example: examples[0] ?? '',
            })}
            {toAction?.(reading)}
          </li>
        );
      })}
    </ul>
  );
});

export interface ImportReadingsProps {
  readonly value: Import;
  readonly kind: ImportKindInfo;
}

/** How dates and numbers of all sheets are read that could be read in two ways. */
export function ImportReadings({ value, kind }: ImportReadingsProps) {
  const readings = value.sheets.flatMap((sheet) => {
    const info = kind.sheets.find(({ id }) => id === sheet.sheet);
    return info ? listReadings(info, sheet, readColumns(sheet)) : [];
  });
  return <ReadingNotes readings={readings.filter(({ format }) => format !== null)} />;
}
