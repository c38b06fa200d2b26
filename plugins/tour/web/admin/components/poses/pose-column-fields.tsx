import { Field, Select } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import { poseFields, type PoseColumns, type PoseField, type PoseTable } from '../../stores/poses-file/pose-table.ts';

export interface PoseColumnFieldsProps {
  readonly table: PoseTable;
  readonly columns: PoseColumns;
  readonly onChange: (columns: PoseColumns) => void;
}

const requiredFields: readonly PoseField[] = ['name', 'east', 'north', 'up'];

/** Assigns the columns of a pose file to fields. */
export function PoseColumnFields({ table, columns, onChange }: PoseColumnFieldsProps) {
  const t = useText();
  const styles = useAdminStyles();
  // Quaternion fields are shown only if the file has such columns, because few people use quaternions.
  const fields = poseFields.filter((field) => !/^q[wxyz]$/.test(field) || columns[field] !== undefined);
  const change = (field: PoseField, value: string): void => {
    const { [field]: _, ...others } = columns;
    onChange(value === '' ? others : { ...others, [field]: Number(value) });
  };
  return (
    <fieldset className={styles.fieldset}>
      <legend className={styles.legend}>{t('tour.poses.columns')}</legend>
      <div className={styles.three}>
        {fields.map((field) => (
          <Field
            key={field}
            className={styles.narrowField}
            label={t(`tour.poses.field.${field}`)}
            required={requiredFields.includes(field)}
          >
            <Select value={columns[field] ?? ''} onChange={(_, { value }) => change(field, value)}>
              <option value="">{t('tour.poses.noColumn')}</option>
              {table.columns.map((name, index) => (
                <option key={index} value={index}>
                  {t('tour.poses.column', { name, example: table.rows[0]?.cells[index] ?? '' })}
                </option>
              ))}
            </Select>
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
