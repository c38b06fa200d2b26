import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Field } from '#core/ui';
import { Combobox, Option, useAdminStyles } from '#core/ui-data';
import { HttpClient, useResource, useService, useText } from '#core/web';
import type { listMasterData, MasterData } from '../../contract/api/master-data.ts';
import type { MasterTypeCode } from '../../contract/values.ts';

const maxOptions = 20;

export interface ParentChoiceProps {
  /** The type of parents. */
  readonly type: MasterTypeCode;
  readonly value: MasterData['parent'];
  readonly disabled: boolean;
  readonly field: { readonly validationMessage?: string; readonly validationState: 'error' | 'none' };
  readonly onChange: (parent: MasterData['parent']) => void;
}

/** Chooses the parent of a master. The server searches the typed text among all active masters of the type. */
export const ParentChoice = observer(function ParentChoice({
  type,
  value,
  disabled,
  field,
  onChange,
}: ParentChoiceProps) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const [text, setText] = useState(value?.name ?? '');
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setText(value?.name ?? ''), [value?.name]);
  const query = text === value?.name ? '' : text.trim();
  const options = useResource(
    (signal) =>
      isOpen
        ? http.call<typeof listMasterData>(
            'GET',
            '/api/master-data',
            { query: { type, text: query, status: 'ACTIVE', limit: maxOptions } },
            { signal },
          )
        : undefined,
    [http, type, isOpen, query],
  );
  const rows = options.value?.rows;
  const failure = isOpen && options.failure ? t('core.failed.general') : undefined;
  return (
    <Field
      className={styles.narrowField}
      label={t('masters.parentOf', { type: t(`masters.type.${type}`) })}
      {...(failure === undefined ? field : { validationState: 'error' as const, validationMessage: failure })}
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
          if (target.value === '') onChange(null);
        }}
        onBlur={() => setText(value?.name ?? '')}
        onOptionSelect={(_, { optionValue }) => {
          const chosenRow = rows?.find(({ uid }) => uid === optionValue);
          onChange(chosenRow ? { uid: chosenRow.uid, name: chosenRow.name } : null);
          setText(chosenRow?.name ?? '');
        }}
      >
        {(rows ?? []).map(({ uid, name }) => (
          <Option key={uid} value={uid}>
            {name}
          </Option>
        ))}
        {rows && rows.length > 0 ? null : (
          <Option key="" value="" text="" disabled>
            {t(rows ? 'masters.noParents' : 'masters.searching')}
          </Option>
        )}
      </Combobox>
    </Field>
  );
});
