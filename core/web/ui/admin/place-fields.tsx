import { Field, Input } from '@fluentui/react-components';
import type { Form } from '../use-form.ts';
import { useText } from '../../i18n/use-text.ts';
import type { TypedPlace } from '../../admin/typed-place.ts';
import { useAdminStyles } from './use-admin-styles.ts';

export interface PlaceFieldsProps {
  readonly form: Pick<Form<TypedPlace>, 'input' | 'field'>;
  readonly hint: string;
}

/** East, north, up and a turn. */
export function PlaceFields({ form, hint }: PlaceFieldsProps) {
  const styles = useAdminStyles();
  const text = useText();
  return (
    <fieldset className={styles.fieldset}>
      <legend className={styles.legend}>{text('core.place.title')}</legend>
      <p className={styles.note}>{hint}</p>
      <div className={styles.three}>
        {(['x', 'y', 'z'] as const).map((axis) => (
          <Field
            key={axis}
            className={styles.narrowField}
            label={text(`core.place.${axis}`)}
            required
            {...form.field(axis)}
          >
            <Input inputMode="decimal" {...form.input(axis)} />
          </Field>
        ))}
      </div>
      <Field label={text('core.place.heading')} required {...form.field('heading')}>
        <Input inputMode="decimal" {...form.input('heading')} />
      </Field>
    </fieldset>
  );
}
