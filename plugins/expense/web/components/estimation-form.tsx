import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Field, Input, useForm } from '#core/ui';
import { ConflictMessage, PageForm, useAdminStyles, useConflict } from '#core/ui-data';
import { useText, useUnsavedWork } from '#core/web';
import type { ExpenseEstimation } from '../../contract/api.ts';
import { figureRules } from '../../contract/rules.ts';
import { expenseFigures, type ExpenseFigure } from '../../contract/values.ts';
import type { ExpenseMutations } from '../stores/expense-mutations.ts';
import { useFormatFigure } from '../stores/use-format-figure.ts';

type FormValues = Record<ExpenseFigure, number | undefined>;

export interface EstimationFormProps {
  readonly estimation: ExpenseEstimation;
  /** Name of the site. */
  readonly name: string;
  readonly mutations: ExpenseMutations;
  readonly onChanged: (changed: boolean) => void;
  readonly onSaved: () => void;
}

/** The four figures of a site. */
export const EstimationForm = observer(function EstimationForm({
  estimation,
  name,
  mutations,
  onChanged,
  onSaved,
}: EstimationFormProps) {
  const t = useText();
  const styles = useAdminStyles();
  const formatFigure = useFormatFigure();
  const { theirs, attempt } = useConflict(estimation);
  const [initial] = useState<FormValues>(() => ({
    fixedCost: estimation.fixedCost ?? undefined,
    perDiem: estimation.perDiem ?? undefined,
    tripDays: estimation.tripDays ?? undefined,
    tourHours: estimation.tourHours ?? undefined,
  }));
  const form = useForm<FormValues>({
    initial,
    rules: figureRules,
    send: async ({ fixedCost, perDiem, tripDays, tourHours }) => {
      if (fixedCost === undefined || perDiem === undefined || tripDays === undefined || tourHours === undefined) return;
      const figures = { fixedCost, perDiem, tripDays, tourHours };
      const isSaved = await attempt(({ location, version }) => mutations.save(location, name, { ...figures, version }));
      if (isSaved) onSaved();
    },
  });
  const { changed } = form;
  useUnsavedWork(changed, 'expense.title');
  useEffect(() => onChanged(changed), [changed, onChanged]);
  const formatOrMissing = (value: number | null): string =>
    value === null ? t('expense.missing') : formatFigure(value);
  const differences =
    theirs &&
    expenseFigures
      .filter((figure) => theirs[figure] !== (form.state(figure).value ?? null))
      .map((figure) =>
        t('expense.fieldValue', { field: t(`expense.${figure}`), value: formatOrMissing(theirs[figure]) }),
      );
  return (
    <PageForm
      label={t('expense.formOf', { name })}
      action={t(theirs ? 'expense.saveMine' : 'expense.save')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
    >
      <ConflictMessage
        title={t('expense.conflict')}
        hint={t(differences?.length === 0 ? 'expense.conflictSame' : 'expense.conflictHint')}
        differences={differences}
      />
      {expenseFigures.map((figure) => (
        <Field
          key={figure}
          className={styles.narrowField}
          label={t(`expense.${figure}`)}
          hint={t(`expense.hint.${figure}`)}
          required
          {...form.field(figure)}
        >
          <Input inputMode="decimal" autoComplete="off" {...form.number(figure)} />
        </Field>
      ))}
    </PageForm>
  );
});
