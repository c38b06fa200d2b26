import { observer } from 'mobx-react-lite';
import { makeStyles, tokens } from '#core/ui';
import { I18n, useFormats, useService, useText } from '#core/web';
import type { TransferredPart } from '../../contract/api.ts';

const useStyles = makeStyles({
  table: { borderCollapse: 'collapse', fontVariantNumeric: 'tabular-nums', justifySelf: 'start' },
  cell: {
    padding: `${tokens.spacingVerticalXS} 0 ${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    textAlign: 'end',
  },
  name: {
    padding: `${tokens.spacingVerticalXS} 0`,
    textAlign: 'start',
    overflowWrap: 'anywhere',
    fontWeight: tokens.fontWeightRegular,
  },
  head: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightRegular,
  },
  notes: { margin: 0, paddingLeft: tokens.spacingHorizontalL, overflowWrap: 'anywhere' },
});

const rowCountNames = ['added', 'changed', 'unchanged'] as const;

interface TransferPartsProps {
  readonly parts: readonly TransferredPart[];
  readonly label: string;
}

/** The numbers of rows that an import adds, changes and leaves unchanged in each part of a site, with notes. */
export const ImportedParts = observer(function ImportedParts({ parts, label }: TransferPartsProps) {
  const t = useText();
  const styles = useStyles();
  const formats = useFormats();
  const { language } = useService(I18n);
  return (
    <>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr className={styles.head}>
            <th scope="col" className={styles.name}>
              {t('imports.siteImport.part')}
            </th>
            {rowCountNames.map((count) => (
              <th key={count} scope="col" className={styles.cell}>
                {t(`imports.count.${count}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={part.title.en}>
              <th scope="row" className={styles.name}>
                {part.title[language]}
              </th>
              {rowCountNames.map((count) => (
                <td key={count} className={styles.cell}>
                  {formats.number(part.counts[count] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <PartNotes parts={parts} label={t('imports.siteImport.notes')} />
    </>
  );
});

/** The contents of an export with their counts, and notes on what is left out, as in its README. */
export const ExportedParts = observer(function ExportedParts({ parts, label }: TransferPartsProps) {
  const { language } = useService(I18n);
  const styles = useStyles();
  const formats = useFormats();
  return (
    <ul className={styles.notes} aria-label={label}>
      {parts.map(({ title, counts: partCounts, countNames, notes }) => (
        <li key={title.en}>
          {title[language]}
          {Object.entries(partCounts).map(
            ([key, count], index) =>
              `${index === 0 ? ' · ' : ', '}${formats.number(count)} ${countNames[key]?.[language] ?? key}`,
          )}
          <Notes notes={notes} />
        </li>
      ))}
    </ul>
  );
});

const PartNotes = observer(function PartNotes({ parts, label }: TransferPartsProps) {
  const { language } = useService(I18n);
  const styles = useStyles();
  const partsWithNotes = parts.filter(({ notes }) => notes.length > 0);
  if (partsWithNotes.length === 0) return null;
  return (
    <div>
      <p className={styles.head}>{label}</p>
      <ul className={styles.notes}>
        {partsWithNotes.map(({ title, notes }) => (
          <li key={title.en}>
            {title[language]}
            <Notes notes={notes} />
          </li>
        ))}
      </ul>
    </div>
  );
});

const Notes = observer(function Notes({ notes }: Pick<TransferredPart, 'notes'>) {
  const { language } = useService(I18n);
  const styles = useStyles();
  if (notes.length === 0) return null;
  return (
    <ul className={styles.notes}>
      {[...new Set(notes.map((note) => note[language]))].map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
});
