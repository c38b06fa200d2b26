import type { AccessFlag } from '#core';
import { Checkbox, makeStyles, tokens } from '#core/ui';
import { useText } from '#core/web';
import type { FeatureGroup } from '../../common/features.ts';

const useStyles = makeStyles({
  group: { display: 'grid', margin: 0, padding: 0, border: 'none', minWidth: 0 },
  title: { padding: tokens.spacingVerticalS, fontWeight: tokens.fontWeightSemibold },
  features: { display: 'grid', paddingLeft: tokens.spacingHorizontalXXL },
  label: { display: 'grid' },
  hint: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

export interface FeatureChecksProps {
  readonly group: FeatureGroup;
  /** Flags of features in the product. Other flags are hidden and left unchanged. */
  readonly productFlags: ReadonlySet<AccessFlag>;
  readonly flags: readonly AccessFlag[];
  readonly disabled: boolean;
  readonly onChange: (flags: readonly AccessFlag[]) => void;
}

/** The title of a group, which is a checkbox if the group has several features, and a checkbox for each feature. */
export function FeatureChecks({ group, productFlags, flags, disabled, onChange }: FeatureChecksProps) {
  const styles = useStyles();
  const t = useText();
  const features = group.flags.filter((flag) => productFlags.has(flag));
  const checkedCount = features.filter((flag) => flags.includes(flag)).length;
  if (features.length === 0) return null;
  const setFlags = (changedFlags: readonly AccessFlag[], checked: boolean): void =>
    onChange(
      checked ? [...new Set([...flags, ...changedFlags])] : flags.filter((flag) => !changedFlags.includes(flag)),
    );
  const title = t(`roles.group.${group.id}`);
  return (
    <div role="group" aria-label={title} className={styles.group}>
      {features.length > 1 ? (
        <Checkbox
          label={title}
          disabled={disabled}
          checked={checkedCount === 0 ? false : checkedCount === features.length || 'mixed'}
          onChange={() => setFlags(features, checkedCount < features.length)}
        />
      ) : (
        <span className={styles.title}>{title}</span>
      )}
      <div className={styles.features}>
        {features.map((flag) => (
          <Checkbox
            key={flag}
            disabled={disabled}
            checked={flags.includes(flag)}
            onChange={(_, { checked }) => setFlags([flag], checked === true)}
            label={
              <span className={styles.label}>
                <span>{t(`roles.flag.${flag}`)}</span>
                <span className={styles.hint}>{t(`roles.flagHint.${flag}`)}</span>
              </span>
            }
          />
        ))}
      </div>
    </div>
  );
}
