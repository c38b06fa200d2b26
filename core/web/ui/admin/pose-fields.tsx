import { Field, Input } from '@fluentui/react-components';
import type { FormField, FormInput } from '../use-form.ts';
import { useText } from '../../i18n/use-text.ts';
import type { PosePath } from '../../admin/pose.ts';
import { useAdminStyles } from './use-admin-styles.ts';

const axes = [
  ['x', 'position.0'],
  ['y', 'position.1'],
  ['z', 'position.2'],
] as const;

export interface PoseFieldsProps {
  readonly input: (path: PosePath) => FormInput;
  readonly field: (path: PosePath) => FormField;
  readonly hint: string;
}

/** Fields for east, north, up and heading. */
export function PoseFields({ input, field, hint }: PoseFieldsProps) {
  const styles = useAdminStyles();
  const text = useText();
  return (
    <fieldset className={styles.fieldset}>
      <legend className={styles.legend}>{text('core.place.title')}</legend>
      <p className={styles.note}>{hint}</p>
      <div className={styles.three}>
        {axes.map(([axis, path]) => (
          <Field key={axis} className={styles.narrowField} label={text(`core.place.${axis}`)} required {...field(path)}>
            <Input inputMode="decimal" {...input(path)} />
          </Field>
        ))}
      </div>
      <Field label={text('core.place.heading')} required {...field('heading')}>
        <Input inputMode="decimal" {...input('heading')} />
      </Field>
    </fieldset>
  );
}
