import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { accessFlags, newRoleRules, roleRules, type AccessFlag, type Rule } from '#core';
import type { RoleEffects, RoleReply } from '#core/api';
import {
  Button,
  Field,
  Input,
  makeStyles,
  MessageBar,
  MessageBarBody,
  MessageBarTitle,
  PageTitle,
  Tab,
  TabList,
  tokens,
  useForm,
} from '#core/ui';
import { ConfirmDialog, readConflict, useAdminStyles, useProductFlags } from '#core/ui-data';
import { Access, Locations, useFormatFailure, useService, useText, useUnsavedWork } from '#core/web';
import { dashboardGroup, featureTabs, proposeRoleId, type FeatureTab } from '../../common/features.ts';
import { removeIncluded } from '../../common/location-checks.ts';
import type { RolesStore } from '../stores/roles-store.ts';
import { EffectsList } from './effects-list.tsx';
import { FeatureChecks } from './feature-checks.tsx';
import { LocationChecks } from './location-checks.tsx';
import { RoleSummary } from './role-summary.tsx';

const useStyles = makeStyles({
  form: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 3fr) minmax(0, 2fr)',
    gap: tokens.spacingHorizontalXL,
    alignItems: 'start',
    '@media (max-width: 899px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  column: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalL, minWidth: 0 },
  tabs: { flexWrap: 'wrap' },
  heading: { margin: 0, fontSize: tokens.fontSizeBase400, fontWeight: tokens.fontWeightSemibold },
  note: { margin: 0, color: tokens.colorNeutralForeground3 },
});

interface FormValues {
  name: string;
  uid: string;
  flags: readonly AccessFlag[];
  allLocations: boolean;
  locations: readonly string[];
}

export interface RoleEditorProps {
  /** Undefined for a new role. */
  readonly role: RoleReply | undefined;
  /** Initial features of a new role. */
  readonly template: readonly AccessFlag[];
  /** Initial name of a new role. */
  readonly templateName: string;
  readonly store: RolesStore;
  readonly onClose: () => void;
}

const needsFeature: Rule<readonly AccessFlag[]> = (flags) =>
  flags.length === 0 ? { message: 'roles.selectFeature' } : undefined;

/**
 * Creates or changes a role. Asks for confirmation if people lose access. After a conflict it shows the newer
 * version and keeps the input.
 */
export const RoleEditor = observer(function RoleEditor({
  role,
  template,
  templateName,
  store,
  onClose,
}: RoleEditorProps) {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const formatFailure = useFormatFailure();
  const productFlags = useProductFlags();
  const { roots } = useService(Locations);
  const [baseVersion, setBaseVersion] = useState(role);
  const [hasConflict, setConflict] = useState(false);
  const [confirmation, setConfirmation] = useState<{
    readonly effects: RoleEffects;
    readonly save: () => Promise<void>;
  }>();
  const [tab, setTab] = useState<FeatureTab>('admin');
  const [isIdTyped, setIdTyped] = useState(false);
  const isReadOnly = !useCanGrant(role) || role?.builtIn === true;
  const [initial] = useState<FormValues>(() => ({
    name: role?.name ?? templateName,
    uid: role?.uid ?? proposeRoleId(templateName),
    flags: role?.flags ?? template.filter((flag) => productFlags.has(flag)),
    allLocations: role?.allLocations ?? false,
    locations: role?.locations ?? [],
  }));
  const [isClosed, setClosed] = useState(false);
  const close = (): void => {
    setClosed(true);
    onClose();
  };
  const save = async (change: Parameters<RolesStore['change']>[1]): Promise<void> => {
    try {
      await store.change(baseVersion?.uid ?? '', change);
      close();
    } catch (cause) {
      const current = readConflict<RoleReply>(cause);
      if (!current) throw cause;
      setBaseVersion(current);
      setConflict(true);
    }
  };
  const form = useForm<FormValues>({
    initial,
    rules: {
      name: roleRules.name,
      uid: role ? [] : newRoleRules.uid,
      flags: [needsFeature],
      allLocations: [],
      locations: [],
    },
    send: async (values) => {
      const grants = {
        name: values.name.trim(),
        flags: accessFlags.filter((flag) => values.flags.includes(flag)),
        allLocations: values.allLocations,
        locations: [...removeIncluded(roots, new Set(values.locations))],
      };
      if (!baseVersion) {
        await store.create({ uid: values.uid.trim(), ...grants });
        return close();
      }
      const change = { ...grants, version: baseVersion.version };
      const effects = await store.preview(baseVersion.uid, { ...grants, status: baseVersion.status });
      if (effects.losing === 0) return save(change);
      setConfirmation({ effects, save: () => save(change) });
    },
  });
  useUnsavedWork(form.changed && !isReadOnly && !isClosed, 'roles');
  const flags = form.state('flags');
  const locations = form.state('locations');
  const allLocations = form.state('allLocations');
  const name = form.input('name');
  const isDisabled = form.busy || isReadOnly;
  const renderGroup = (
    group: (typeof featureTabs)[number]['groups'][number] | typeof dashboardGroup,
  ): React.ReactNode => (
    <FeatureChecks
      key={group.id}
      group={group}
      productFlags={productFlags}
      flags={flags.value}
      disabled={isDisabled}
      onChange={flags.onChange}
    />
  );
  const selectedTab = featureTabs.find(({ id }) => id === tab) ?? featureTabs[0];
  const hasDashboards = dashboardGroup.flags.some((flag) => productFlags.has(flag));
  const setAllFlags = (checked: boolean): void =>
    flags.onChange(
      checked ? [...new Set([...flags.value, ...productFlags])] : flags.value.filter((flag) => !productFlags.has(flag)),
    );
  return (
    <form onSubmit={form.submit} noValidate>
      <PageTitle
        title={role ? t('roles.editTitle', { name: role.name }) : t('roles.newTitle')}
        hint={t('roles.editHint')}
        actions={
          <>
            <Button onClick={onClose} disabled={form.busy}>
              {t(isReadOnly ? 'roles.back' : 'roles.cancel')}
            </Button>
            {isReadOnly ? null : (
              <Button type="submit" appearance="primary" disabled={form.busy}>
                {t(role ? (hasConflict ? 'roles.saveMine' : 'roles.save') : 'roles.create')}
              </Button>
            )}
          </>
        }
      />
      <div role="alert">
        {form.failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(form.failure)}</MessageBarBody>
          </MessageBar>
        )}
        {hasConflict && baseVersion ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>
              <MessageBarTitle>{t('roles.conflict')}</MessageBarTitle>{' '}
              {t('roles.conflictHint', {
                name: baseVersion.name,
                features: baseVersion.flags.map((flag) => t(`roles.flag.${flag}`)).join(', '),
                status: t(`roles.status.${baseVersion.status}`),
              })}
            </MessageBarBody>
          </MessageBar>
        ) : null}
      </div>
      {isReadOnly ? (
        <MessageBar intent="info" layout="multiline">
          <MessageBarBody>{t(role?.builtIn ? 'roles.builtInHint' : 'roles.beyondHint')}</MessageBarBody>
        </MessageBar>
      ) : null}
      <div className={styles.form}>
        <div className={styles.column}>
          <Field label={t('roles.name')} required {...form.field('name')}>
            <Input
              {...name}
              disabled={isDisabled}
              autoComplete="off"
              onChange={(event, data) => {
                name.onChange(event, data);
                if (!role && !isIdTyped) form.state('uid').onChange(proposeRoleId(data.value));
              }}
            />
          </Field>
          {role ? (
            <p className={styles.note}>{t('roles.idStays', { id: role.uid })}</p>
          ) : (
            <Field label={t('roles.id')} hint={t('roles.idHint')} required {...form.field('uid')}>
              <Input
                {...form.input('uid')}
                autoComplete="off"
                spellCheck={false}
                onChange={(event, data) => {
                  setIdTyped(data.value !== '');
                  form.input('uid').onChange(event, data);
                }}
              />
            </Field>
          )}
          <Field {...form.field('flags')}>
            <div className={styles.actions} ref={flags.ref} tabIndex={-1}>
              <Button disabled={isDisabled} onClick={() => setAllFlags(true)}>
                {t('roles.allFeatures')}
              </Button>
              <Button disabled={isDisabled} onClick={() => setAllFlags(false)}>
                {t('roles.noFeatures')}
              </Button>
            </div>
          </Field>
          <TabList
            className={styles.tabs}
            selectedValue={tab}
            onTabSelect={(_, { value }) => setTab(value as FeatureTab)}
            aria-label={t('roles.features')}
          >
            {featureTabs.map(({ id }) => (
              <Tab key={id} value={id}>
                {t(`roles.tab.${id}`)}
              </Tab>
            ))}
          </TabList>
          <div role="tabpanel" aria-label={t(`roles.tab.${tab}`)}>
            {selectedTab.groups.map(renderGroup)}
          </div>
          {hasDashboards ? (
            <section aria-label={t('roles.group.dashboards')}>{renderGroup(dashboardGroup)}</section>
          ) : null}
        </div>
        <div className={styles.column}>
          <section className={styles.column} aria-label={t('roles.locations')}>
            <h2 className={styles.heading}>{t('roles.locations')}</h2>
            <LocationChecks
              allLocations={allLocations.value}
              chosen={new Set(locations.value)}
              disabled={isDisabled}
              onAllChange={allLocations.onChange}
              onChange={(chosenUids) => locations.onChange([...chosenUids])}
            />
          </section>
          <RoleSummary
            flags={accessFlags.filter((flag) => flags.value.includes(flag))}
            allLocations={allLocations.value}
            locations={removeIncluded(roots, new Set(locations.value))}
          />
        </div>
      </div>
      {confirmation ? (
        <ConfirmDialog
          title={t('roles.loseTitle')}
          message={t('roles.loseHint')}
          action={t('roles.saveAnyway')}
          onConfirm={confirmation.save}
          onClose={() => setConfirmation(undefined)}
        >
          <EffectsList effects={confirmation.effects} />
        </ConfirmDialog>
      ) : null}
    </form>
  );
});

/** True if the access of the signed-in person includes the access of the role. The server requires this for changes. */
function useCanGrant(role: RoleReply | undefined): boolean {
  const { info } = useService(Access);
  const locations = useService(Locations);
  if (!role || info.locations === 'ALL') return role?.flags.every((flag) => info.flags.includes(flag)) ?? true;
  const accessibleLocations = info.locations;
  return (
    role.flags.every((flag) => info.flags.includes(flag)) &&
    !role.allLocations &&
    role.locations.every((uid) => locations.pathTo(uid).some((node) => accessibleLocations.includes(node.uid)))
  );
}
