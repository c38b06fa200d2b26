import { useState } from 'react';
import { locationRules, type LocationNode, type LocationRow } from '#core';
import { MessageBar, MessageBarBody, MessageBarTitle, useForm } from '#core/ui';
import { FormDialog, readConflict, useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import { listPossibleTypes } from '../../../common/location-placement.ts';
import type { LocationMutations, LocationValues } from '../stores/location-mutations.ts';
import { LocationFields } from './location-fields.tsx';

export interface EditLocationDialogProps {
  readonly location: LocationNode;
  readonly parent: LocationNode | undefined;
  readonly mutations: LocationMutations;
  readonly onClose: () => void;
}

const fields = ['name', 'label', 'locationType'] as const;
type Values = Pick<LocationValues, (typeof fields)[number]>;

/** Changes name, label and type. After a conflict it shows the other person's values and keeps the typed ones. */
export function EditLocationDialog({ location, parent, mutations, onClose }: EditLocationDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  const [base, setBase] = useState<LocationRow>(location);
  const [theirs, setTheirs] = useState<LocationRow>();
  const [initial] = useState<Values>(() => ({
    name: location.name,
    label: location.label,
    locationType: location.locationType,
  }));
  const form = useForm<Values>({
    initial,
    rules: { ...locationRules, locationType: [] },
    send: async ({ name, label, locationType }) => {
      const values = { name: name.trim(), label: label.trim(), locationType };
      try {
        if (fields.some((field) => values[field] !== base[field]))
          await mutations.update(location, { ...values, version: base.version ?? 0 });
      } catch (cause) {
        const current = readConflict<LocationRow>(cause);
        if (!current) throw cause;
        setBase(current);
        setTheirs(current);
        return;
      }
      onClose();
    },
  });
  const differingFields = theirs ? fields.filter((field) => theirs[field] !== form.state(field).value) : [];
  const formatValue = (field: keyof Values, value: string): string =>
    field === 'locationType' ? t(`locations.type.${value}`) : value === '' ? t('locations.sites.emptyValue') : value;
  return (
    <FormDialog
      title={t('locations.sites.editTitle', { name: location.name })}
      action={t(theirs ? 'locations.sites.saveMine' : 'locations.sites.save')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <div role="alert">
        {theirs ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>
              <MessageBarTitle>{t('locations.sites.conflict')}</MessageBarTitle>{' '}
              {t(differingFields.length === 0 ? 'locations.sites.conflictSame' : 'locations.sites.conflictHint')}
              {differingFields.length === 0 ? null : (
                <ul className={styles.report}>
                  {differingFields.map((field) => (
                    <li key={field}>
                      {t('locations.sites.theirs', {
                        field: t(`locations.sites.${field === 'locationType' ? 'type' : field}`),
                        value: formatValue(field, theirs[field]),
                      })}
                    </li>
                  ))}
                </ul>
              )}
            </MessageBarBody>
          </MessageBar>
        ) : null}
      </div>
      <LocationFields
        types={listPossibleTypes(location, parent?.locationType)}
        input={form.input}
        field={form.field}
        typeHint={t('locations.sites.typeHint')}
      />
      <p className={styles.note}>{t('locations.sites.codeStays', { code: location.uid })}</p>
    </FormDialog>
  );
}
