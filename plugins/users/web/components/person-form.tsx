import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { email, mandatory, maxLength, personMasters, personMasterTypes, userTypes, type PersonMaster } from '#core';
import type { updatePerson, createPerson, Person, PersonChoices } from '#core/api';
import {
  Button,
  Checkbox,
  Field,
  Input,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Select,
  tokens,
  useForm,
} from '#core/ui';
import { readConflict, useAdminStyles } from '#core/ui-data';
import { HttpClient, I18n, useFormatFailure, useService, useText, useUnsavedWork } from '#core/web';
import { LostAccessList } from './lost-access-list.tsx';
import { formatMaster } from './user-table.tsx';

const useStyles = makeStyles({
  roles: { display: 'grid', maxHeight: '320px', overflowY: 'auto' },
  twoColumns: {
    display: 'grid',
    gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
    gap: tokens.spacingHorizontalM,
    alignItems: 'start',
    '@media (max-width: 639px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
});

interface FormValues extends Record<PersonMaster, string> {
  username: string;
  name: string;
  accountType: Person['accountType'];
  status: 'ACTIVE' | 'INACTIVE';
  /** Roles that were assigned manually, not by a group of the identity provider. */
  roles: readonly string[];
  removedGroupRoles: readonly string[];
}

export interface PersonFormProps {
  /** Undefined for a new person. */
  readonly person: Person | undefined;
  readonly choices: PersonChoices;
  readonly onSaved: (change: string | null, person: string, name: string) => void;
}

/** Form for a person. Lists the access that the chosen values remove, before they are saved. */
export const PersonForm = observer(function PersonForm({ person, choices, onSaved }: PersonFormProps) {
  const t = useText();
  const styles = { ...useAdminStyles(), ...useStyles() };
  const http = useService(HttpClient);
  const { language } = useService(I18n);
  const formatFailure = useFormatFailure();
  // A retry sends the same uid, so that it cannot invite the person twice.
  const [newUid] = useState(() => crypto.randomUUID());
  const [base, setBase] = useState(person);
  const [theirs, setTheirs] = useState<Person>();
  const [initial] = useState(() => toValues(person));
  const form = useForm<FormValues>({
    initial,
    rules: {
      name: [mandatory, maxLength(120)],
      username: person ? [] : [mandatory, email, maxLength(254)],
      accountType: [],
      status: [],
      userType: [],
      businessUnit: [],
      division: [],
      department: [],
      section: [],
      roles: [],
      removedGroupRoles: [],
    },
    send: async ({ username, status, name, accountType, roles, removedGroupRoles, ...masters }) => {
      const values = {
        name: name.trim(),
        accountType,
        roles: [...roles],
        ...(Object.fromEntries(personMasters.map((property) => [property, masters[property] || null])) as Record<
          PersonMaster,
          string | null
        >),
      };
      if (!base) {
        const body = { uid: newUid, username: username.trim(), ...values };
        const { change } = await http.call<typeof createPerson>('POST', '/api/people', { body });
        return onSaved(change, newUid, values.name);
      }
      try {
        const body = { ...values, removedGroupRoles: [...removedGroupRoles], status, version: base.version };
        const request = { params: { person: base.uid }, body };
        const { change } = await http.call<typeof updatePerson>('PUT', '/api/people/:person', request);
        onSaved(change, base.uid, values.name);
      } catch (cause) {
        const current = readConflict<Person>(cause);
        if (!current) throw cause;
        setBase(current);
        setTheirs(current);
      }
    },
  });
  useUnsavedWork(form.changed, 'users.form');
  const roles = form.state('roles');
  const removedRoles = form.state('removedGroupRoles');
  const assignedUids = new Set(person?.roles.map(({ uid }) => uid));
  const groupRoles = person?.roles.filter(({ fromGroup }) => fromGroup) ?? [];
  const keptGroupRoles = groupRoles.flatMap(({ uid }) => (removedRoles.value.includes(uid) ? [] : [uid]));
  const nextUids = new Set([...roles.value, ...keptGroupRoles]);
  const selectableRoles = choices.roles.filter(({ uid, status }) => status === 'ACTIVE' || assignedUids.has(uid));
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate>
      <div role="alert">
        {form.failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(form.failure)}</MessageBarBody>
          </MessageBar>
        )}
        {theirs ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>
              {t('users.conflict', {
                name: theirs.name,
                status: t(`users.status.${theirs.status}`),
                accountType: t(`users.accountType.${theirs.accountType}`),
                roles: theirs.roles.map(({ name }) => name).join(', ') || '–',
              })}
            </MessageBarBody>
          </MessageBar>
        ) : null}
      </div>
      <Field label={t('users.column.name')} required {...form.field('name')}>
        <Input {...form.input('name')} autoComplete="off" />
      </Field>
      <Field
        label={t('users.column.username')}
        required={person === undefined}
        {...form.field('username')}
        {...(person ? { hint: t('users.emailFixed') } : {})}
      >
        <Input type="email" {...form.input('username')} readOnly={person !== undefined} autoComplete="off" />
      </Field>
      <div className={styles.twoColumns}>
        <Field label={t('users.column.accountType')} hint={t('users.accountTypeHint')} {...form.field('accountType')}>
          <Select {...form.input('accountType')}>
            {userTypes.map((type) => (
              <option key={type} value={type}>
                {t(`users.accountType.${type}`)}
              </option>
            ))}
          </Select>
        </Field>
        {person ? (
          <Field label={t('users.column.status')} hint={t('users.statusHint')} {...form.field('status')}>
            <Select {...form.input('status')}>
              <option value="ACTIVE">
                {t(person.status === 'INACTIVE' ? 'users.status.ACTIVE' : `users.status.${person.status}`)}
              </option>
              <option value="INACTIVE">{t('users.status.INACTIVE')}</option>
            </Select>
          </Field>
        ) : null}
        {(['userType', 'businessUnit', 'division', 'department', 'section'] as const).map((property) => (
          <Field key={property} label={t(`users.column.${property}`)} {...form.field(property)}>
            <Select {...form.input(property)}>
              <option value="">{t('users.none')}</option>
              {choices.masters
                .filter(
                  ({ type, active, uid }) =>
                    type === personMasterTypes[property] && (active || uid === person?.[property]?.uid),
                )
                .map((master) => (
                  <option key={master.uid} value={master.uid}>
                    {formatMaster(master, language)}
                  </option>
                ))}
            </Select>
          </Field>
        ))}
      </div>
      <fieldset className={styles.fieldset}>
        <legend className={styles.legend}>{t('users.column.roles')}</legend>
        <div className={styles.roles}>
          {selectableRoles.map(({ uid, name, status }) => (
            <Checkbox
              key={uid}
              label={status === 'ACTIVE' ? name : t('users.inactiveRole', { name })}
              checked={roles.value.includes(uid)}
              disabled={form.busy}
              onChange={(_, { checked }) =>
                roles.onChange(
                  checked === true ? [...roles.value, uid] : roles.value.filter((assignedUid) => assignedUid !== uid),
                )
              }
            />
          ))}
        </div>
        {/* A Field would replace the label of each checkbox. */}
        <div role="alert">{form.field('roles').validationMessage}</div>
        {selectableRoles.length === 0 ? <p className={styles.note}>{t('users.noRoles')}</p> : null}
      </fieldset>
      {groupRoles.length === 0 ? null : (
        <fieldset className={styles.fieldset}>
          <legend className={styles.legend}>{t('users.groupRoles')}</legend>
          <div className={styles.roles}>
            {groupRoles.map(({ uid, name }) => (
              <Checkbox
                key={uid}
                label={t('users.groupRole', { name })}
                checked={keptGroupRoles.includes(uid)}
                disabled={form.busy}
                onChange={(_, { checked }) =>
                  removedRoles.onChange(
                    checked === true
                      ? removedRoles.value.filter((removedUid) => removedUid !== uid)
                      : [...removedRoles.value, uid],
                  )
                }
              />
            ))}
          </div>
          <p className={styles.note}>{t('users.groupRolesHint')}</p>
        </fieldset>
      )}
      {person ? (
        <LostAccessList
          former={choices.roles.filter(({ uid }) => assignedUids.has(uid))}
          next={choices.roles.filter(({ uid }) => nextUids.has(uid))}
          losesAdminArea={person.accountType === 'TENANT_ADMIN' && form.state('accountType').value === 'TENANT_USER'}
        />
      ) : null}
      <div className={styles.actions}>
        <Button
          type="submit"
          appearance="primary"
          size="large"
          disabled={form.busy || (person !== undefined && !form.changed)}
        >
          {t(theirs ? 'users.saveMine' : person ? 'users.save' : 'users.invite')}
        </Button>
      </div>
    </form>
  );
});

const toValues = (person: Person | undefined): FormValues => ({
  username: person?.username ?? '',
  name: person?.name ?? '',
  accountType: person?.accountType ?? 'TENANT_USER',
  status: person?.status === 'INACTIVE' ? 'INACTIVE' : 'ACTIVE',
  roles: person?.roles.flatMap(({ uid, fromGroup }) => (fromGroup ? [] : [uid])) ?? [],
  removedGroupRoles: [],
  ...(Object.fromEntries(personMasters.map((property) => [property, person?.[property]?.uid ?? ''])) as Record<
    PersonMaster,
    string
  >),
});
