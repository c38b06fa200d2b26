import { Field, Select } from '@fluentui/react-components';
import type { SourceChoice } from '#core';
import { useText } from '../../i18n/use-text.ts';
import { useAdminStyles } from './use-admin-styles.ts';

export interface UnitChoiceProps {
  readonly value: SourceChoice;
  readonly choices: readonly SourceChoice[];
  readonly hint: string;
  readonly disabled: boolean;
  readonly onChange: (choice: SourceChoice) => void;
}

/** Selects the length unit of imported files. */
export function UnitChoice({ value, choices, hint, disabled, onChange }: UnitChoiceProps) {
  const styles = useAdminStyles();
  const text = useText();
  return (
    <Field className={styles.narrowField} label={text('core.system.choice')} hint={hint}>
      <Select
        value={value}
        disabled={disabled}
        onChange={(_, { value: selectedChoice }) =>
          onChange(choices.find((choice) => choice === selectedChoice) ?? 'FILE')
        }
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {text(`core.system.choice.${choice}`)}
          </option>
        ))}
      </Select>
    </Field>
  );
}
