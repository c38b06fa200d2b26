import { observer } from 'mobx-react-lite';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Input } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import type { ImportColumnInfo } from '../../../contract/api.ts';
import { useGridStyles } from './use-grid-styles.ts';

/** How the editor was left: Enter stays at the cell, Tab moves on, a click elsewhere leaves the grid. */
export type EditorExit = 'STAY' | 'NEXT' | 'PREVIOUS' | 'BLUR';

export interface CellEditing {
  readonly initialText: string;
  readonly isBusy: boolean;
  readonly onSave: (text: string, exit: EditorExit) => void;
  readonly onCancel: () => void;
}

export interface CellEditorProps {
  readonly column: ImportColumnInfo;
  readonly editing: CellEditing;
}

/** Edits a value in its cell. Enter and Tab save, Escape keeps the former value. */
export const CellEditor = observer(function CellEditor({ column, editing }: CellEditorProps) {
  const t = useText();
  const styles = useGridStyles();
  const { language } = useService(I18n);
  const listId = useId();
  const hasLeft = useRef(false);
  const [text, setText] = useState(editing.initialText);
  useEffect(() => {
    // After a refusal the person can correct the text and save again.
    if (!editing.isBusy) hasLeft.current = false;
  }, [editing.isBusy]);
  const save = (exit: EditorExit): void => {
    if (hasLeft.current) return;
    hasLeft.current = true;
    editing.onSave(text, exit);
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const { key, shiftKey } = event;
    if (key === 'Enter') save('STAY');
    else if (key === 'Tab') save(shiftKey ? 'PREVIOUS' : 'NEXT');
    else if (key === 'Escape') {
      hasLeft.current = true;
      editing.onCancel();
    } else return;
    event.preventDefault();
  };
  const choices = column.type === 'BOOLEAN' ? ['Y', 'N'] : column.values.map(({ label }) => label[language]);
  return (
    <>
      <Input
        autoFocus
        className={styles.editor}
        size="small"
        aria-label={t('imports.cell.edit', { column: column.header[language] })}
        value={text}
        readOnly={editing.isBusy}
        onFocus={({ target }) => target.select()}
        onChange={(_, { value }) => setText(value)}
        onKeyDown={handleKeyDown}
        onClick={(event) => event.stopPropagation()}
        onBlur={() => save('BLUR')}
        {...(choices.length === 0 ? {} : { list: listId })}
      />
      {choices.length === 0 ? null : (
        <datalist id={listId}>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
});
