import { ArrowUploadRegular } from '@fluentui/react-icons/svg/arrow-upload';
import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { useId, useRef, useState, type DragEvent } from 'react';
import { formatBytes } from '#core';
import { useText } from '../../i18n/use-text.ts';
import { I18n } from '../../kernel/services.ts';
import { useService } from '../../kernel/use-service.ts';

const useStyles = makeStyles({
  zone: {
    display: 'grid',
    justifyItems: 'center',
    rowGap: tokens.spacingVerticalS,
    padding: tokens.spacingHorizontalL,
    border: `1px dashed ${tokens.colorNeutralStrokeAccessible}`,
    borderRadius: tokens.borderRadiusLarge,
    textAlign: 'center',
  },
  draggedOver: {
    backgroundColor: tokens.colorBrandBackground2,
    borderTopColor: tokens.colorBrandStroke1,
    borderRightColor: tokens.colorBrandStroke1,
    borderBottomColor: tokens.colorBrandStroke1,
    borderLeftColor: tokens.colorBrandStroke1,
  },
  hint: { margin: 0, color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  list: {
    margin: 0,
    padding: 0,
    listStyleType: 'none',
    width: '100%',
    display: 'grid',
    rowGap: tokens.spacingVerticalXS,
  },
  file: {
    display: 'flex',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalM,
    overflowWrap: 'anywhere',
    textAlign: 'start',
  },
});

export interface FileChoiceProps {
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
  /** Accepted file extensions, such as `.e57,.las`. */
  readonly accept: string;
  readonly multiple?: boolean;
  readonly disabled?: boolean;
  /** Text that names the accepted files. */
  readonly hint: string;
}

/** Selects files to upload, by a button or by drag and drop. */
export function FileChoice({ files, onChange, accept, multiple = false, disabled = false, hint }: FileChoiceProps) {
  const styles = useStyles();
  const { language } = useService(I18n);
  const text = useText();
  const input = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const [draggedOver, setDraggedOver] = useState(false);
  const selectFiles = (list: FileList | null): void => {
    if (list && list.length > 0) onChange(multiple ? [...list] : [...list].slice(0, 1));
  };
  const handleDrop = (event: DragEvent): void => {
    event.preventDefault();
    setDraggedOver(false);
    if (!disabled) selectFiles(event.dataTransfer.files);
  };
  return (
    <div
      className={mergeClasses(styles.zone, draggedOver && styles.draggedOver)}
      onDragOver={(event) => {
        event.preventDefault();
        setDraggedOver(!disabled);
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={handleDrop}
    >
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={multiple}
        hidden
        data-testid="file-input"
        onChange={({ target }) => selectFiles(target.files)}
      />
      <Button
        icon={<ArrowUploadRegular />}
        disabled={disabled}
        aria-describedby={hintId}
        onClick={() => input.current?.click()}
      >
        {text(multiple ? 'core.work.chooseFiles' : 'core.work.chooseFile')}
      </Button>
      <p id={hintId} className={styles.hint}>
        {hint}
      </p>
      {files.length === 0 ? null : (
        <ul className={styles.list}>
          {files.map((file) => (
            <li key={file.name} className={styles.file}>
              <span>{file.name}</span>
              <span>{formatBytes(file.size, { language })}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
