import { observer } from 'mobx-react-lite';
import { useRef, useState, type ReactNode } from 'react';
import { Button, makeStyles } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { I18n, useFormats, useService, useText } from '#core/web';
import type { Import, ImportKindInfo } from '../../contract/api.ts';
import { formatValue } from '../stores/format-value.ts';
import { resolveColumnChoice } from '../stores/column-choice.ts';
import { groupLengthColumns, listLengthColumns } from '../stores/list-length-columns.ts';
import { listReadings, type ListedReading } from '../stores/list-readings.ts';
import type { OpenImport } from '../stores/open-import.ts';

// Without notes, it takes no gap in the step.
const useStyles = makeStyles({ focusTarget: { ':empty': { position: 'absolute' } } });

/** One line per column: in which format its values are read, and why. */
export const ReadingNotes = observer(function ReadingNotes({
  readings,
  renderAction,
}: {
  readonly readings: readonly ListedReading[];
  /** A control at the end of a line. */
  readonly renderAction?: (reading: ListedReading) => ReactNode;
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
            {renderAction?.(reading)}
          </li>
        );
      })}
    </ul>
  );
});

export interface ImportReadingsProps {
  readonly openImport: OpenImport;
  readonly currentImport: Import;
  readonly kind: ImportKindInfo;
}

type ImportNotesProps = Omit<ImportReadingsProps, 'openImport'>;

/** The units in which lengths are read, for all sheets. Columns without anything notable are left out. */
const LengthNotes = observer(function LengthNotes({ currentImport, kind }: ImportNotesProps) {
  const t = useText();
  const admin = useAdminStyles();
  const { language } = useService(I18n);
  const notes = currentImport.sheets.flatMap((sheet) => {
    const sheetInfo = kind.sheets.find(({ id }) => id === sheet.sheet);
    const notableColumns = sheetInfo
      ? listLengthColumns(sheetInfo, sheet, resolveColumnChoice(sheet)).filter(({ isNotable }) => isNotable)
      : [];
    return groupLengthColumns(notableColumns).map((group) => ({ group, name: sheetInfo?.name ?? sheet.sheet }));
  });
  if (notes.length === 0) return null;
  return (
    <ul className={admin.report}>
      {notes.map(({ group, name }) => {
        const { unit, columnUnit, by, header } = group[0]!;
        const units = { unit: t(`core.system.unit.${unit}`), read: t(`core.system.unit.${columnUnit}`) };
        return (
          <li key={`${name} ${header}`}>
            {t(`imports.lengths.by.${by}`, {
              ...units,
              sheet: name,
              count: group.length,
              columns: group.map(({ column }) => column.header[language]).join(', '),
            })}
            {unit === columnUnit ? null : ` ${t('imports.lengths.converted', units)}`}
          </li>
        );
      })}
    </ul>
  );
});

/** The values that were chosen for all rows of a sheet. */
const ConstantNotes = observer(function ConstantNotes({ currentImport, kind }: ImportNotesProps) {
  const t = useText();
  const admin = useAdminStyles();
  const { language } = useService(I18n);
  const { timeZone } = useFormats(currentImport.site ?? undefined);
  const notes = currentImport.sheets.flatMap(({ sheet, constants }) =>
    constants.flatMap(({ column: id, value: constant, by }) => {
      const sheetInfo = kind.sheets.find((each) => each.id === sheet);
      const column = sheetInfo?.columns.find((each) => each.id === id);
      return sheetInfo && column && by === 'CHOSEN' ? [{ name: sheetInfo.name, column, constant }] : [];
    }),
  );
  if (notes.length === 0) return null;
  return (
    <ul className={admin.report}>
      {notes.map(({ name, column, constant }) => (
        <li key={`${name} ${column.id}`}>
          {t('imports.constants.note', {
            sheet: name,
            column: column.header[language],
            value: formatValue(constant, column, { timeZone, language }),
          })}
        </li>
      ))}
    </ul>
  );
});

/** The sheets with unknown names that are read by a choice from an earlier import. */
const SheetNotes = observer(function SheetNotes({ currentImport: { fileSheets }, kind }: ImportNotesProps) {
  const t = useText();
  const admin = useAdminStyles();
  const notes = fileSheets.flatMap(({ name, file, sheet, by }) => {
    const sheetInfo = kind.sheets.find(({ id }) => id === sheet);
    return sheetInfo && by === 'REMEMBERED' ? [{ name, file, sheet: sheetInfo.name }] : [];
  });
  if (notes.length === 0) return null;
  return (
    <ul className={admin.report}>
      {notes.map((note) => (
        <li key={`${note.file} ${note.name}`}>{t('imports.sheets.rememberedNote', note)}</li>
      ))}
    </ul>
  );
});

/** The words that are read as other values, as chosen in earlier imports. */
const WordNotes = observer(function WordNotes({ openImport, currentImport, kind }: ImportReadingsProps) {
  const t = useText();
  const admin = useAdminStyles();
  const { language } = useService(I18n);
  const { timeZone } = useFormats(currentImport.site ?? undefined);
  const styles = useStyles();
  const root = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState(false);
  const notes = currentImport.sheets.flatMap(({ sheet, replacedWords }) => {
    const sheetInfo = kind.sheets.find(({ id }) => id === sheet);
    return replacedWords.flatMap((word) => {
      const column = sheetInfo?.columns.find(({ id }) => id === word.column);
      return sheetInfo && column ? [{ sheetInfo, column, word }] : [];
    });
  });
  const forget = async (word: Parameters<OpenImport['forgetWord']>[0]): Promise<void> => {
    setBusy(true);
    openImport.setFailure(undefined);
    try {
      await openImport.forgetWord(word);
      // The button disappears.
      root.current?.focus({ preventScroll: true });
    } catch (failure) {
      openImport.setFailure(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div ref={root} tabIndex={-1} className={styles.focusTarget}>
      {notes.length === 0 ? null : (
        <ul className={admin.report}>
          {notes.map(({ sheetInfo, column, word: { written, value, cells } }) => (
            <li key={`${sheetInfo.id} ${column.id} ${written}`}>
              {t('imports.words.rememberedNote', {
                sheet: sheetInfo.name,
                column: column.header[language],
                written,
                value: formatValue(value, column, { timeZone, language }),
                count: cells,
              })}{' '}
              {currentImport.phase === 'PREVIEW' ? (
                <Button
                  size="small"
                  disabledFocusable={busy}
                  aria-label={t('imports.words.forgetLabel', { written, column: column.header[language] })}
                  onClick={() => void forget({ sheet: sheetInfo.id, column: column.id, written })}
                >
                  {t('imports.words.forget')}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
});

/**
 * Notes on how the files are read: sheets and words by a remembered choice, ambiguous dates and numbers, units of
 * lengths, and values for all rows.
 */
export function ImportReadings({ openImport, currentImport, kind }: ImportReadingsProps) {
  const readings = currentImport.sheets.flatMap((sheet) => {
    const sheetInfo = kind.sheets.find(({ id }) => id === sheet.sheet);
    return sheetInfo ? listReadings(sheetInfo, sheet, resolveColumnChoice(sheet)) : [];
  });
  return (
    <>
      <SheetNotes currentImport={currentImport} kind={kind} />
      <ReadingNotes readings={readings.filter(({ format }) => format !== null)} />
      <LengthNotes currentImport={currentImport} kind={kind} />
      <ConstantNotes currentImport={currentImport} kind={kind} />
      <WordNotes openImport={openImport} currentImport={currentImport} kind={kind} />
    </>
  );
}
