import { observer } from 'mobx-react-lite';
import { Field, makeStyles, tokens } from '#core/ui';
import { FileChoice } from '#core/ui-data';
import { I18n, useService, useText } from '#core/web';
import type { ImportKindInfo } from '../../contract/api.ts';
import { findMissingFiles, listExtensions } from '../stores/missing-files.ts';
import { FileList } from './file-list.tsx';

const useStyles = makeStyles({
  root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalS },
  expected: { margin: 0, paddingLeft: tokens.spacingHorizontalL, color: tokens.colorNeutralForeground2 },
  required: { color: tokens.colorPaletteRedForeground1 },
});

export interface FilesFieldProps {
  readonly kind: ImportKindInfo;
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
  readonly disabled?: boolean;
  /** Whether missing required files are reported. */
  readonly reportMissing: boolean;
}

/** The files of an import: the expected ones, with an asterisk if required, and the chosen ones. */
export const FilesField = observer(function FilesField({
  kind,
  files,
  onChange,
  disabled = false,
  reportMissing,
}: FilesFieldProps) {
  const t = useText();
  const styles = useStyles();
  const { language } = useService(I18n);
  const missingFiles = reportMissing ? findMissingFiles(kind, files) : [];
  const add = (chosenFiles: readonly File[]): void =>
    onChange([...files.filter(({ name }) => chosenFiles.every((file) => file.name !== name)), ...chosenFiles]);
  return (
    <div className={styles.root}>
      <ul className={styles.expected} aria-label={t('imports.files.expected')}>
        {kind.files.map(({ title, kind: fileKind, required }) => (
          <li key={title.en}>
            {title[language]}
            {required ? <span className={styles.required}> *</span> : ` (${t('imports.files.optional')})`}
            {` · ${t(`imports.files.kind.${fileKind}`)}`}
          </li>
        ))}
      </ul>
      <Field
        {...(missingFiles.length === 0
          ? {}
          : {
              validationState: 'error',
              validationMessage: t('imports.files.missing', {
                names: missingFiles.map(({ title }) => title[language]).join(', '),
              }),
            })}
      >
        <FileChoice
          files={[]}
          multiple
          accept={listExtensions(kind).join(',')}
          disabled={disabled}
          hint={t('imports.files.hint')}
          onChange={add}
        />
      </Field>
      {files.length === 0 ? null : (
        <FileList
          label={t('imports.files.chosen')}
          files={files.map(({ name, size }) => ({ name, bytes: size }))}
          {...(disabled ? {} : { onRemove: (name) => onChange(files.filter((file) => file.name !== name)) })}
        />
      )}
    </div>
  );
});
