import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import type { LocationNode } from '#core';
import { FailedState, Field, makeStyles, PanelSkeleton, Select, tokens } from '#core/ui';
import { Locations, Session, useContributions, useService, useText } from '#core/web';
import { tourModules } from '#plugins/tour';
import { useSavePreferences } from '../stores/use-save-preferences.ts';

const useStyles = makeStyles({ fields: { display: 'grid', gap: tokens.spacingVerticalL } });
const views = ['cards', 'list'] as const;

/** Selects the default location, tour module and view of the start screen. */
const DefaultsSection = observer(function DefaultsSection() {
  const styles = useStyles();
  const t = useText();
  const modules = useContributions(tourModules);
  const preferences = useService(Session).me?.preferences ?? {};
  const save = useSavePreferences();
  return (
    <div className={styles.fields}>
      <DefaultLocation
        selected={preferences.defaultLocation}
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

/** Waits for the locations, because the selection would appear empty without them. */
const DefaultLocation = observer(function DefaultLocation({
  selected,
  onChoose,
}: {
  readonly selected: string | undefined;
  readonly onChoose: (uid: string | undefined) => void;
}) {
  const t = useText();
  const locations = useService(Locations);
  useEffect(() => void locations.load(), [locations]);
  if (locations.state === 'loading') return <PanelSkeleton lines={1} />;
  if (locations.state === 'failed')
    return <FailedState heading="h3" error={locations.failure} onRetry={() => void locations.load()} />;
  return (
    <Field label={t('account.defaults.location')} hint={t('account.defaults.locationHint')}>
      <Select value={selected ?? ''} onChange={(_, { value }) => onChoose(value === '' ? undefined : value)}>
        <option value="">{t('account.defaults.none')}</option>
        {locations.roots.flatMap((root) => renderOptions(root, 0))}
      </Select>
    </Field>
  );
});

function renderOptions(location: LocationNode, depth: number): React.ReactNode[] {
  return [
    <option key={location.uid} value={location.uid}>
      {`${'\u2003'.repeat(depth)}${location.name}`}
    </option>,
    ...location.children.flatMap((child) => renderOptions(child, depth + 1)),
  ];
}
