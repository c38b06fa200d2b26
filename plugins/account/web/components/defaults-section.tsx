import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import type { LocationNode } from '#core';
import { FailedState, Field, makeStyles, PanelSkeleton, Select, tokens } from '#core/ui';
import { Locations, Session, useContributions, useService, useText } from '#core/web';
import { tourModules } from '#plugins/tour';
import { useSavedPreferences } from '../stores/use-saved-preferences.ts';

const useStyles = makeStyles({ fields: { display: 'grid', gap: tokens.spacingVerticalL } });
const views = ['cards', 'list'] as const;

/** Default location, tour tool and home view. */
const DefaultsSection = observer(function DefaultsSection() {
  const styles = useStyles();
  const t = useText();
  const modules = useContributions(tourModules);
  const preferences = useService(Session).me?.preferences ?? {};
  const save = useSavedPreferences();
  return (
    <div className={styles.fields}>
      <DefaultLocation
        chosen={preferences.defaultLocation}
        onChoose={(defaultLocation) => void save({ defaultLocation })}
      />
      <Field label={t('account.defaults.tool')} hint={t('account.defaults.toolHint')}>
        <Select
          value={preferences.defaultTool ?? ''}
          onChange={(_, { value }) => void save({ defaultTool: value === '' ? undefined : value })}
        >
          <option value="">{t('account.defaults.first')}</option>
          {modules.map((module) => (
            <option key={module.id} value={module.id}>
              {t(module.title)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('account.defaults.view')}>
        <Select
          value={preferences.defaultView ?? 'cards'}
          onChange={(_, { value }) => void save({ defaultView: value === 'list' ? 'list' : 'cards' })}
        >
          {views.map((view) => (
            <option key={view} value={view}>
              {t(`account.defaults.view.${view}`)}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
});
export default DefaultsSection;

/** Without the list of locations, the chosen one would seem to be empty. */
const DefaultLocation = observer(function DefaultLocation({
  chosen,
  onChoose,
}: {
  readonly chosen: string | undefined;
  readonly onChoose: (uid: string | undefined) => void;
}) {
  const t = useText();
  const locations = useService(Locations);
  useEffect(() => void locations.load(), [locations]);
  if (locations.state === 'loading') return <PanelSkeleton facts={1} />;
  if (locations.state === 'failed')
    return <FailedState heading="h3" error={locations.failure} onRetry={() => void locations.load()} />;
  return (
    <Field label={t('account.defaults.location')} hint={t('account.defaults.locationHint')}>
      <Select value={chosen ?? ''} onChange={(_, { value }) => onChoose(value === '' ? undefined : value)}>
        <option value="">{t('account.defaults.none')}</option>
        {locations.roots.flatMap((root) => options(root, 0))}
      </Select>
    </Field>
  );
});

function options(location: LocationNode, depth: number): React.ReactNode[] {
  return [
    <option key={location.uid} value={location.uid}>
      {`${'\u2003'.repeat(depth)}${location.name}`}
    </option>,
    ...location.children.flatMap((child) => options(child, depth + 1)),
  ];
}
