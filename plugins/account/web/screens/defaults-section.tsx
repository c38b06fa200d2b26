import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import type { LocationNode } from '#core';
import { Field, makeStyles, Select, tokens } from '#core/ui';
import { Locations, Session, useContributions, useService, useText } from '#core/web';
import { tourModules } from '#plugins/tour';
import { useSavedPreferences } from './use-saved-preferences.ts';

const useStyles = makeStyles({ fields: { display: 'grid', gap: tokens.spacingVerticalL } });
const views = ['cards', 'list'] as const;

/** Where a person starts: location, tool of the tour, view of the home screen. */
const DefaultsSection = observer(function DefaultsSection() {
  const styles = useStyles();
  const t = useText();
  const locations = useService(Locations);
  const modules = useContributions(tourModules);
  const preferences = useService(Session).me?.preferences ?? {};
  const save = useSavedPreferences();
  useEffect(() => void locations.load(), [locations]);
  return (
    <div className={styles.fields}>
      <Field label={t('account.defaults.location')} hint={t('account.defaults.locationHint')}>
        <Select value={preferences.defaultLocation ?? ''} onChange={(_, { value }) => void save({ defaultLocation: value === '' ? undefined : value })}>
          <option value="">{t('account.defaults.none')}</option>
          {locations.roots.flatMap((root) => options(root, 0))}
        </Select>
      </Field>
      <Field label={t('account.defaults.tool')} hint={t('account.defaults.toolHint')}>
        <Select value={preferences.defaultTool ?? ''} onChange={(_, { value }) => void save({ defaultTool: value === '' ? undefined : value })}>
          <option value="">{t('account.defaults.first')}</option>
          {modules.map((module) => (
            <option key={module.id} value={module.id}>
              {t(module.title)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('account.defaults.view')}>
        <Select value={preferences.defaultView ?? 'cards'} onChange={(_, { value }) => void save({ defaultView: value === 'list' ? 'list' : 'cards' })}>
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

function options(location: LocationNode, depth: number): React.ReactNode[] {
  return [
    <option key={location.uid} value={location.uid}>
      {`${'\u2003'.repeat(depth)}${location.name}`}
    </option>,
    ...location.children.flatMap((child) => options(child, depth + 1)),
  ];
}
