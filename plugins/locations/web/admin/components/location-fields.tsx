import type { LocationType } from '#core';
import { Field, Input, Select, type FormInput } from '#core/ui';
import { useText } from '#core/web';

interface FieldProps {
  readonly validationMessage?: string;
  readonly validationState: 'error' | 'none';
}

export interface LocationFieldsProps {
  readonly types: readonly LocationType[];
  readonly input: (path: 'name' | 'label' | 'locationType') => FormInput;
  readonly field: (path: 'name' | 'label' | 'locationType') => FieldProps;
  readonly typeHint?: string;
}

/** The fields of a location that can be changed later: name, label and type. */
export function LocationFields({ types, input, field, typeHint }: LocationFieldsProps) {
  const t = useText();
  return (
    <>
      <Field label={t('locations.sites.name')} required {...field('name')}>
        <Input {...input('name')} />
      </Field>
      <Field label={t('locations.sites.label')} hint={t('locations.sites.labelHint')} {...field('label')}>
        <Input {...input('label')} />
      </Field>
      <Field
        label={t('locations.sites.type')}
        {...(typeHint === undefined ? {} : { hint: typeHint })}
        {...field('locationType')}
      >
        <Select {...input('locationType')}>
          {types.map((type) => (
            <option key={type} value={type}>
              {t(`locations.type.${type}`)}
            </option>
          ))}
        </Select>
      </Field>
    </>
  );
}
