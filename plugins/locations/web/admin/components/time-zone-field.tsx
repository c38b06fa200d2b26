import { isTimeZone } from '#core';
import { Field } from '#core/ui';
import { Combobox, Option } from '#core/ui-data';
import { useText } from '#core/web';

/** The maximum number of shown options. A person finds the other options by typing. */
const maxOptions = 80;
/** Browsers list these zones by their former names, or not at all. */
const unlistedZones = [
  'America/Argentina/Buenos_Aires',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'UTC',
];
const timeZones: readonly string[] = [
  ...new Set([...Intl.supportedValuesOf('timeZone'), ...unlistedZones.filter(isTimeZone)]),
].toSorted();

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

/**
 * Lists the zones that contain the typed text, or all zones of its continent if the text is a whole zone name. A valid
 * zone is always an option, because Tab and Enter choose the first option if none begins with the text.
 */
function listOptions(value: string): readonly string[] {
  const typedZone = value.trim();
  const text = typedZone.toLowerCase().replaceAll(' ', '_');
  const isChosen = typedZone.includes('/') && isTimeZone(typedZone);
  const continentPrefix = text.slice(0, text.indexOf('/') + 1);
  const listedZones = timeZones
    .filter((zone) => (isChosen ? zone.toLowerCase().startsWith(continentPrefix) : zone.toLowerCase().includes(text)))
    .slice(0, isChosen ? undefined : maxOptions);
  return isTimeZone(typedZone) && !listedZones.some((zone) => zone.toLowerCase() === text)
    ? [typedZone, ...listedZones]
    : listedZones;
}
