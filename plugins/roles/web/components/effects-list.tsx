import type { RoleEffects } from '#core/api';
import { useAdminStyles, useProductFlags } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import { observer } from 'mobx-react-lite';

/** Lists how many people would lose or gain each feature and location access. */
export const EffectsList = observer(function EffectsList({ effects }: { readonly effects: RoleEffects }) {
  const styles = useAdminStyles();
  const t = useText();
  const formats = useFormats();
  const productFlags = useProductFlags();
  const flags = effects.flags.filter(({ flag }) => productFlags.has(flag));
  const format = (id: string, count: number, values: Readonly<Record<string, string>> = {}): string =>
    t(id, { count, shown: formats.number(count), ...values });
  const lines = [
    ...flags
      .filter(({ losing }) => losing > 0)
      .map(({ flag, losing }) => format('roles.loseFeature', losing, { feature: t(`roles.flag.${flag}`) })),
    ...(effects.locations.losing > 0 ? [format('roles.loseLocations', effects.locations.losing)] : []),
    ...(effects.withoutFeature > 0 ? [format('roles.withoutFeature', effects.withoutFeature)] : []),
    ...flags
      .filter(({ gaining }) => gaining > 0)
      .map(({ flag, gaining }) => format('roles.gainFeature', gaining, { feature: t(`roles.flag.${flag}`) })),
    ...(effects.locations.gaining > 0 ? [format('roles.gainLocations', effects.locations.gaining)] : []),
  ];
  return lines.length === 0 ? null : (
    <ul className={styles.report}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
});
