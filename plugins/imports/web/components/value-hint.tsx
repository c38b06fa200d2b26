import { observer } from 'mobx-react-lite';
import { I18n, useService, useText } from '#core/web';
import type { ImportColumnInfo } from '../../contract/api.ts';
import { findValueHint } from '../stores/value-hint.ts';

export interface ValueHintProps {
  readonly column: ImportColumnInfo;
  readonly id?: string;
  readonly className: string;
}

/** A hint on what to type into a field of a column, with its unit and an example. Empty for columns of any text. */
export const ValueHint = observer(function ValueHint({ column, id, className }: ValueHintProps) {
  const t = useText();
  const { language } = useService(I18n);
  const hint = findValueHint(column, language);
  return hint === undefined ? null : (
    <span id={id} className={className}>
      {t(`imports.hint.${hint.type}`, hint.values)}
    </span>
  );
});
