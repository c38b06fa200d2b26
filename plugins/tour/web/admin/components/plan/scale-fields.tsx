import { Field, Input } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { PlacementForm } from '../../stores/use-placement-form.ts';

/** Fields for the distance between the marks A and B, the heading of the plan, and the coordinates of A. */
export function ScaleFields({ form }: { readonly form: PlacementForm }) {
  const t = useText();
  const styles = useAdminStyles();
  return (
    <div className={styles.form}>
      <p className={styles.note}>{t('tour.plan.scaleHint')}</p>
      <Field label={t('tour.plan.distance')} required {...form.field('metres')}>
        <Input inputMode="decimal" autoComplete="off" {...form.number('metres')} />
      </Field>
      <Field label={t('tour.plan.heading')} hint={t('tour.plan.headingHint')} required {...form.field('heading')}>
        <Input inputMode="decimal" autoComplete="off" {...form.number('heading')} />
      </Field>
      {(['east', 'north'] as const).map((axis) => (
        <Field key={axis} label={t(`tour.plan.${axis}OfA`)} required {...form.field(axis)}>
          <Input inputMode="decimal" autoComplete="off" {...form.number(axis)} />
        </Field>
      ))}
    </div>
  );
}
