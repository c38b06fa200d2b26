import { Field, Input } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { SiteLengths } from '../../stores/site-lengths.ts';
import type { PlacementForm } from '../../stores/use-placement-form.ts';

export interface ScaleFieldsProps {
  readonly form: PlacementForm;
  readonly lengths: SiteLengths;
}

/** Fields for the distance between the marks A and B, the heading of the plan, and the coordinates of A. */
export function ScaleFields({ form, lengths: { symbol: unit } }: ScaleFieldsProps) {
  const t = useText();
  const styles = useAdminStyles();
  return (
    <div className={styles.form}>
      <p className={styles.note}>{t('tour.plan.scaleHint')}</p>
      <Field label={t('tour.plan.distance', { unit })} required {...form.field('distance')}>
        <Input inputMode="decimal" autoComplete="off" {...form.number('distance')} />
      </Field>
      <Field label={t('tour.plan.heading')} hint={t('tour.plan.headingHint')} required {...form.field('heading')}>
        <Input inputMode="decimal" autoComplete="off" {...form.number('heading')} />
      </Field>
      {(['east', 'north'] as const).map((axis) => (
        <Field key={axis} label={t(`tour.plan.${axis}OfA`, { unit })} required {...form.field(axis)}>
          <Input inputMode="decimal" autoComplete="off" {...form.number(axis)} />
        </Field>
      ))}
    </div>
  );
}
