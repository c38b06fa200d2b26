import { useId, useState, type FormEvent, type KeyboardEvent } from 'react';
import { Button, Input, makeStyles, tokens } from '#core/ui';
import { useFormatFailure, useText } from '#core/web';
import type { ColumnType, ImportProblem, ImportValue } from '../../contract/index.ts';
import { parseTyped } from '../stores/format-value.ts';
import { toProposedValue } from '../stores/problem-value.ts';

/** Problems that the same value in all rows does not mend. */
const distinctMessages: readonly string[] = ['imports.refused.duplicateRow', 'imports.refused.taken'];

const useStyles = makeStyles({
  root: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS, minWidth: 0 },
  button: { minWidth: 0, maxWidth: '100%', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  input: { minWidth: 0, width: '180px', maxWidth: '100%' },
  failure: { color: tokens.colorPaletteRedForeground2, fontSize: tokens.fontSizeBase200 },
});

export interface ProblemActionsProps {
  readonly problem: ImportProblem;
  /** Type of the column. */
  readonly type: ColumnType;
  readonly canEdit: boolean;
  readonly tabIndex: 0 | -1;
  /** Writes a value into all rows of the problem. */
  readonly onReplace: (value: ImportValue) => Promise<void>;
  readonly onShow: () => void;
}

/** The nearest accepted value in one click, another value, and the rows of the problem. */
export function ProblemActions({ problem, type, canEdit, tabIndex, onReplace, onShow }: ProblemActionsProps) {
  const t = useText();
  const styles = useStyles();
  const formatFailure = useFormatFailure();
  const listId = useId();
  const [isTyping, setIsTyping] = useState(false);
  const [text, setText] = useState('');
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const { column, finding, proposals, rows } = problem;
  const canReplace = canEdit && column !== null && !distinctMessages.includes(finding.message);
  const [nearest] = proposals;
  const replace = async (value: ImportValue): Promise<void> => {
    setState({ busy: true });
    try {
      await onReplace(value);
      setState({ busy: false });
      setIsTyping(false);
    } catch (failure) {
      setState({ busy: false, failure });
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') void replace(parseTyped(text, type));
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    setIsTyping(false);
  };
  if (isTyping)
    return (
      <form className={styles.root} onSubmit={submit}>
        <Input
          autoFocus
          className={styles.input}
          size="small"
          aria-label={t('imports.problems.otherFor', { count: rows })}
          list={listId}
          value={text}
          tabIndex={tabIndex}
          disabled={state.busy}
          onChange={(_, { value }) => setText(value)}
          onKeyDown={handleKeyDown}
        />
        <datalist id={listId}>
          {proposals.map((proposal) => (
            <option key={proposal} value={proposal}>
              {proposal}
            </option>
          ))}
        </datalist>
        <Button type="submit" size="small" tabIndex={tabIndex} disabled={state.busy || text.trim() === ''}>
          {t('imports.problems.replace', { count: rows })}
        </Button>
        {state.failure === undefined ? null : <span className={styles.failure}>{formatFailure(state.failure)}</span>}
      </form>
    );
  return (
    <div className={styles.root}>
      {canReplace && nearest !== undefined ? (
        <Button
          className={styles.button}
          size="small"
          appearance="primary"
          tabIndex={tabIndex}
          disabled={state.busy}
          onClick={() => void replace(toProposedValue(problem, nearest))}
        >
          {t('imports.problems.use', { value: nearest, count: rows })}
        </Button>
      ) : null}
      {canReplace ? (
        <Button size="small" tabIndex={tabIndex} disabled={state.busy} onClick={() => setIsTyping(true)}>
          {t('imports.problems.other')}
        </Button>
      ) : null}
      <Button size="small" appearance="subtle" tabIndex={tabIndex} onClick={onShow}>
        {t('imports.problems.show')}
      </Button>
      {state.failure === undefined ? null : <span className={styles.failure}>{formatFailure(state.failure)}</span>}
    </div>
  );
}
