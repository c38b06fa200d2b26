import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Field, useDelayed } from '#core/ui';
import { Combobox, Option, useAdminStyles } from '#core/ui-data';
import { useResource, useText } from '#core/web';

export interface SearchComboboxOption {
  readonly uid: string;
  /** Text of the field when the option is chosen. */
  readonly name: string;
  readonly details: string;
}

export interface SearchComboboxProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: SearchComboboxOption | undefined;
  readonly disabled?: boolean;
  /** Empties the field after each choice. */
  readonly clearsAfterChoice?: boolean;
  /** Loads the first options for a text from the server. */
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly SearchComboboxOption[]>;
  readonly onChange: (option: SearchComboboxOption | undefined) => void;
}

/** A combobox for many records. The server finds options for the typed text. */
export const SearchCombobox = observer(function SearchCombobox({
  label,
  hint,
  value,
  disabled = false,
  clearsAfterChoice = false,
  find,
  onChange,
}: SearchComboboxProps) {
  const t = useText();
  const styles = useAdminStyles();
  const [text, setText] = useState(value?.name ?? '');
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setText(value?.name ?? ''), [value?.name]);
  const query = text === value?.name ? '' : text.trim();
  const options = useResource((signal) => (isOpen ? find(query, signal) : undefined), [find, isOpen, query]);
  const isSlow = useDelayed(300) && options.value === undefined;
  const failed = isOpen && options.failure !== undefined;
  return (
    <Field
      className={styles.narrowField}
      label={label}
      {...(hint === undefined ? {} : { hint })}
      {...(failed ? { validationState: 'error', validationMessage: t('core.failed.general') } : {})}
    >
      <Combobox
        freeform
        clearable
        value={text}
        disabled={disabled}
        selectedOptions={value ? [value.uid] : []}
        onOpenChange={(_, { open }) => setOpen(open)}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value === '') onChange(undefined);
        }}
        onBlur={() => setText(value?.name ?? '')}
        onOptionSelect={(_, { optionValue }) => {
          const option = options.value?.find(({ uid }) => uid === optionValue);
          onChange(option);
          setText(clearsAfterChoice ? '' : (option?.name ?? ''));
        }}
      >
        {(options.value ?? []).map(({ uid, name, details }) => (
          <Option key={uid} value={uid} text={name}>
            {details === '' ? name : t('tour.content.codeAndName', { code: name, name: details })}
          </Option>
        ))}
        {options.value?.length === 0 || isSlow ? (
          <Option key="" value="" text="" disabled>
            {t(options.value ? 'tour.tags.nothingFound' : 'tour.tags.searching')}
          </Option>
        ) : null}
      </Combobox>
    </Field>
  );
});
