import { observer } from 'mobx-react-lite';
import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { Button, Input, makeStyles, Select, tokens } from '#core/ui';
import { I18n, useFormatFailure, useService, useText } from '#core/web';
import type { ImportColumnInfo, ImportProblem, ImportValue } from '../../contract/index.ts';
import { formatCode } from '../../common/code-labels.ts';
import { parseTypedValue } from '../stores/format-value.ts';
import {
  findWrittenText,
  isColumnProblem,
  isReplaceable,
  toEmptiedValue,
  toProposedValue,
} from '../stores/problem-value.ts';
import { ValueHint } from './value-hint.tsx';

const useStyles = makeStyles({
  root: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS, minWidth: 0 },
  button: { minWidth: 0, maxWidth: '100%', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  input: { minWidth: 0, width: '180px', maxWidth: '100%' },
  hint: { flexBasis: '100%', color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  failure: { color: tokens.colorPaletteRedForeground2, fontSize: tokens.fontSizeBase200 },
});

export interface ProblemActionsProps {
  readonly problem: ImportProblem;
  /** The column that the problem concerns. */
  readonly column: ImportColumnInfo | undefined;
  readonly canEdit: boolean;
  readonly tabIndex: 0 | -1;
  /** Id of the text that says what emptying a cell does. */
  readonly emptyHintId: string;
  /** Writes a value into all rows of the problem. */
  readonly onReplace: (value: ImportValue) => Promise<void>;
  /** Leaves the rows of the problem out of the import. */
  readonly onLeaveOut: () => Promise<void>;
  readonly onShow: () => void;
}

/** Buttons to fix a problem: use the nearest accepted value, another value or none, or leave out the rows. */
export const ProblemActions = observer(function ProblemActions({
  problem,
  column,
  canEdit,
  tabIndex,
  emptyHintId,
  onReplace,
  onLeaveOut,
  onShow,
}: ProblemActionsProps) {
  const t = useText();
  const styles = useStyles();
  const formatFailure = useFormatFailure();
  const { language } = useService(I18n);
  const listId = useId();
  const hintId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [isTyping, setIsTyping] = useState(false);
  useEffect(() => {
    const field = form.current?.elements[0];
    if (isTyping && field instanceof HTMLSelectElement) field.focus();
  }, [isTyping]);
  const [text, setText] = useState('');
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const { proposals, rows } = problem;
  const canReplace = canEdit && isReplaceable(problem);
  const emptiedValue = canEdit ? toEmptiedValue(problem, column) : undefined;
  const [nearestProposal] = proposals;
  const listedValues = column?.values ?? [];
  const replace = (value: ImportValue): Promise<void> => run(() => onReplace(value));
  const run = async (action: () => Promise<void>): Promise<void> => {
    setState({ busy: true });
    try {
      await action();
      setState({ busy: false });
      setIsTyping(false);
    } catch (failure) {
      setState({ busy: false, failure });
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') void replace(parseTypedValue(text, column?.type ?? 'TEXT'));
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    setIsTyping(false);
  };
  if (isTyping)
    return (
      <form ref={form} className={styles.root} onSubmit={submit}>
        {listedValues.length > 0 ? (
          <Select
            size="small"
            aria-label={t('imports.problems.otherFor', { count: rows })}
            value={text}
            tabIndex={tabIndex}
            disabled={state.busy}
            onChange={(_, { value }) => setText(value)}
            onKeyDown={handleKeyDown}
          >
            <option value="">{t('imports.problems.choose')}</option>
            {listedValues.map(({ value, label }) => (
              <option key={value} value={value}>
                {label[language]}
              </option>
            ))}
          </Select>
        ) : (
          <Input
            autoFocus
            className={styles.input}
            size="small"
            aria-label={t('imports.problems.otherFor', { count: rows })}
            aria-describedby={hintId}
            list={listId}
            value={text}
            tabIndex={tabIndex}
            disabled={state.busy}
            onChange={(_, { value }) => setText(value)}
            onKeyDown={handleKeyDown}
          />
        )}
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
        {column && listedValues.length === 0 ? <ValueHint id={hintId} className={styles.hint} column={column} /> : null}
        {state.failure === undefined ? null : <span className={styles.failure}>{formatFailure(state.failure)}</span>}
      </form>
    );
  return (
    <div className={styles.root}>
      {canReplace && nearestProposal !== undefined && problem.misspelt ? (
        <Button
          className={styles.button}
          size="small"
          appearance="primary"
          tabIndex={tabIndex}
          disabled={state.busy}
          onClick={() => void replace(toProposedValue(problem, nearestProposal))}
        >
          {t('imports.problems.use', {
            value: column ? formatCode(nearestProposal, column, language) : nearestProposal,
            count: rows,
          })}
        </Button>
      ) : null}
      {canReplace && nearestProposal !== undefined && !problem.misspelt ? (
        <Button
          className={styles.button}
          size="small"
          tabIndex={tabIndex}
          disabled={state.busy}
          onClick={() => {
            setText([toProposedValue(problem, nearestProposal)].flat().join('; '));
            setIsTyping(true);
          }}
        >
          {t('imports.problems.similar', { value: nearestProposal })}
        </Button>
      ) : null}
      {canReplace ? (
        <Button size="small" tabIndex={tabIndex} disabled={state.busy} onClick={() => setIsTyping(true)}>
          {t('imports.problems.other')}
        </Button>
      ) : null}
      {emptiedValue === undefined ? null : (
        <Button
          className={styles.button}
          size="small"
          tabIndex={tabIndex}
          disabled={state.busy}
          aria-describedby={emptiedValue === null ? emptyHintId : undefined}
          onClick={() => void replace(emptiedValue)}
        >
          {emptiedValue === null
            ? t('imports.problems.empty', { count: rows })
            : t('imports.problems.removeItem', { value: findWrittenText(problem) ?? '', count: rows })}
        </Button>
      )}
      {canEdit && problem.firstRow !== null && !isColumnProblem(problem) ? (
        <Button size="small" tabIndex={tabIndex} disabled={state.busy} onClick={() => void run(onLeaveOut)}>
          {t('imports.problems.leaveOut', { count: rows })}
        </Button>
      ) : null}
      <Button size="small" appearance="subtle" tabIndex={tabIndex} onClick={onShow}>
        {t('imports.problems.show')}
      </Button>
      {state.failure === undefined ? null : <span className={styles.failure}>{formatFailure(state.failure)}</span>}
    </div>
  );
});
