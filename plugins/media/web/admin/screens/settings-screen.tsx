import { observer } from 'mobx-react-lite';
import { useId } from 'react';
import { defaultMinPasswordLength, type Product } from '#core';
import type { getSettings, SettingsOverview } from '#core/api';
import { PageTitle, PanelSkeleton, ResourceView } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import {
  HttpClient,
  ProductInfo,
  RouteLink,
  useFormats,
  usePluginScope,
  useResource,
  useService,
  useText,
} from '#core/web';
import { backgroundsAdmin, contactsAdmin, itemsAdmin, noticesAdmin, welcomeTextAdmin } from '#plugins/media';
import { ProviderCard } from '../components/provider-card.tsx';
import { SettingsTable, type SettingRow } from '../components/settings-table.tsx';

/** The screen that edits each stored setting. */
const screenByKey = {
  'media.welcomeText': welcomeTextAdmin,
  'media.contactDetail': contactsAdmin,
  'media.images': backgroundsAdmin,
  'media.imagesAndVideo': itemsAdmin,
  'media.notices': noticesAdmin,
} as const;
type StoredKey = keyof typeof screenByKey;
const isStoredKey = (key: string): key is StoredKey => key in screenByKey;

/** Shows all settings with their effective values, their sources and the screens that change them. */
const SettingsScreen = observer(function SettingsScreen() {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const settings = useResource(
    (signal) => http.call<typeof getSettings>('GET', '/api/settings', {}, { signal }),
    [http],
  );
  return (
    <>
      <PageTitle title={t('media.settings.title')} hint={t('media.settings.about')} />
      <ResourceView
        resource={settings}
        noAccessTo={{ title: t('media.settings.noAccess'), accessToRequest: 'configure' }}
        waiting={<PanelSkeleton />}
      >
        {(overview) => (
          <div className={styles.list}>
            <StoredSection stored={overview.stored} />
            <ProvidersSection overview={overview} />
            <ProfileSection />
            <EnvironmentSection environment={overview.environment} />
          </div>
        )}
      </ResourceView>
    </>
  );
});
export default SettingsScreen;

interface SectionProps {
  readonly title: string;
  readonly hint: string;
  readonly children: (titleId: string) => React.ReactNode;
}

function Section({ title, hint, children }: SectionProps) {
  const styles = useAdminStyles();
  const titleId = useId();
  return (
    <section className={styles.card} aria-labelledby={titleId}>
      <h2 id={titleId} className={styles.name}>
        {title}
      </h2>
      <p className={styles.note}>{hint}</p>
      {children(titleId)}
    </section>
  );
}

const StoredSection = observer(function StoredSection({ stored }: Pick<SettingsOverview, 'stored'>) {
  const t = useText();
  const formats = useFormats();
  const rows = stored.flatMap(({ key, count, changedBy, changedAt }): SettingRow[] =>
    isStoredKey(key)
      ? [
          {
            id: key,
            name: <RouteLink to={screenByKey[key]}>{t(`media.settings.key.${key.slice('media.'.length)}`)}</RouteLink>,
            value: t(`media.settings.value.${key.slice('media.'.length)}`, { count }),
            source: t(count === 0 ? 'media.settings.source.DEFAULT' : 'media.settings.source.DATABASE'),
            more:
              changedAt === null
                ? t('media.settings.neverChanged')
                : t('media.settings.changed', { name: changedBy ?? '', at: formats.instant(changedAt) }),
          },
        ]
      : [],
  );
  return (
    <Section title={t('media.settings.stored')} hint={t('media.settings.storedHint')}>
      {(titleId) => <SettingsTable labelledBy={titleId} rows={rows} moreTitle={t('media.settings.column.changed')} />}
    </Section>
  );
});

const ProvidersSection = observer(function ProvidersSection({ overview }: { readonly overview: SettingsOverview }) {
  const t = useText();
  const styles = useAdminStyles();
  const { login } = useService(ProductInfo);
  return (
    <Section title={t('media.settings.oauth')} hint={t('media.settings.oauthHint')}>
      {() =>
        overview.providers.length === 0 ? (
          <p className={styles.note}>{t('media.settings.noProviders')}</p>
        ) : (
          overview.providers.map((provider) => (
            <ProviderCard
              key={provider.id}
              provider={provider}
              label={login.providers.find(({ id }) => id === provider.id)?.label ?? provider.id}
              returnUrl={overview.returnAddress}
            />
          ))
        )
      }
    </Section>
  );
});

/** The settings of the profile, resolved by the build. */
const ProfileSection = observer(function ProfileSection() {
  const t = useText();
  const product = useService(ProductInfo);
  const { host } = usePluginScope();
  const profile = t('media.settings.source.PROFILE', { profile: product.profile });
  const rows = [
    ...listProfileSettings(product).map(([id, value]): SettingRow => ({
      id,
      name: t(`media.settings.profile.${id}`),
      value: typeof value === 'boolean' ? t(value ? 'media.settings.on' : 'media.settings.off') : value,
      source: value === '' ? t('media.settings.source.DEFAULT') : profile,
    })),
    ...host.plugins.map(({ id, settings }): SettingRow => ({
      id: `plugin ${id}`,
      name: t('media.settings.plugin', { id }),
      value: <code>{JSON.stringify(settings ?? {})}</code>,
      source: profile,
    })),
  ];
  return (
    <Section title={t('media.settings.profile')} hint={t('media.settings.profileHint')}>
      {(titleId) => <SettingsTable labelledBy={titleId} rows={rows} />}
    </Section>
  );
});

const listProfileSettings = (product: Product): readonly (readonly [string, string | boolean])[] => [
  ['title', product.title],
  ['shortName', product.shortName],
  ['version', product.version],
  ['loginType', product.login.type],
  ['logoutAddress', product.login.logoutAddress ?? ''],
  ['minPasswordLength', String(product.login.minPasswordLength ?? defaultMinPasswordLength)],
  ['languages', product.languages.join(', ')],
  ['timeZone', product.timeZone],
  ['contact', product.contact ?? ''],
  ['progressiveWebApp', product.progressiveWebApp],
];

const EnvironmentSection = observer(function EnvironmentSection({
  environment,
}: Pick<SettingsOverview, 'environment'>) {
  const t = useText();
  const rows = environment.map(({ variable, isSet, value }): SettingRow => ({
    id: variable,
    name: <code>{variable}</code>,
    value: value ?? t(isSet ? 'media.settings.set' : 'media.settings.notSet'),
    source: t(isSet ? 'media.settings.source.ENVIRONMENT' : 'media.settings.source.DEFAULT'),
  }));
  return (
    <Section title={t('media.settings.environment')} hint={t('media.settings.environmentHint')}>
      {(titleId) => <SettingsTable labelledBy={titleId} rows={rows} />}
    </Section>
  );
});
