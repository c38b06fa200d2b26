import { isTimeZone } from '#core';
import { Field } from '#core/ui';
import { Combobox, Option } from '#core/ui-data';
import { useText } from '#core/web';

/** More options are not worth scrolling through: the person types instead. */
const maxOptions = 80;
const timeZones: readonly string[] = Intl.supportedValuesOf('timeZone');

export interface TimeZoneFieldProps {
  readonly value: string;
  readonly validationMessage?: string;
  readonly validationState: 'error' | 'none';
  readonly disabled: boolean;
  readonly inputRef: (element: HTMLElement | null) => void;
  readonly onChange: (value: string) => void;
  readonly onBlur: () => void;
}

/** A time zone, chosen from a list or typed. */
export function TimeZoneField({ value, disabled, inputRef, onChange, onBlur, ...field }: TimeZoneFieldProps) {
  const t = useText();
  return (
    <Field label={t('locations.sites.timeZone')} hint={t('locations.sites.timeZoneHint')} required {...field}>
      <Combobox
        freeform
        ref={inputRef}
        value={value}
        selectedOptions={[value]}
        disabled={disabled}
        onChange={({ target }) => onChange(target.value)}
        onOptionSelect={(_, { optionValue }) => optionValue !== undefined && onChange(optionValue)}
        onBlur={onBlur}
      >
        {listOptions(value).map((zone) => (
          <Option key={zone} value={zone} text={zone}>
            {zone.replaceAll('_', ' ')}
          </Option>
        ))}
      </Combobox>
    </Field>
  );
}

/** The zones that contain the typed text; for a chosen zone those of its continent. */
function listOptions(value: string): readonly string[] {
  const text = value.trim().toLowerCase().replaceAll(' ', '_');
  const isChosen = value.includes('/') && isTimeZone(value);
  const start = text.slice(0, text.indexOf('/') + 1);
  return timeZones
    .filter((zone) => (isChosen ? zone.toLowerCase().startsWith(start) : zone.toLowerCase().includes(text)))
    .slice(0, isChosen ? undefined : maxOptions);
}
