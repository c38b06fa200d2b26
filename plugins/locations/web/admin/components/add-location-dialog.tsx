import { useMemo, useState } from 'react';
import { duplicate, newLocationRules, type LocationNode, type LocationType } from '#core';
import { Field, Input, useForm } from '#core/ui';
import { FormDialog } from '#core/ui-data';
import { useText } from '#core/web';
import { listChildTypes } from '../../../common/location-placement.ts';
import { proposeCode } from '../../../common/propose-code.ts';
import type { LocationMutations } from '../stores/location-mutations.ts';
import { LocationFields } from './location-fields.tsx';

export interface AddLocationDialogProps {
  /** Undefined for a new site. */
  readonly parent: LocationNode | undefined;
  readonly roots: readonly LocationNode[];
  readonly mutations: LocationMutations;
  readonly onCreated: (uid: string) => void;
  readonly onClose: () => void;
}

interface Values {
  name: string;
  label: string;
  locationType: LocationType;
  uid: string;
}

/** Creates a location. Its code is proposed from the name until the person types one. */
export function AddLocationDialog({ parent, roots, mutations, onCreated, onClose }: AddLocationDialogProps) {
  const t = useText();
  const types = listChildTypes(parent?.locationType);
  // The code of the last request counts as free, because a request whose reply was lost may be repeated.
  const [sentCode, setSentCode] = useState<string>();
  const takenCodes = useMemo(() => listCodes(roots, sentCode), [roots, sentCode]);
  const [isCodeTyped, setCodeTyped] = useState(false);
  const form = useForm<Values>({
    initial: { name: '', label: '', locationType: types[0] ?? 'PRIMARY_LOCATION', uid: '' },
    rules: {
      name: newLocationRules.name,
      label: newLocationRules.label,
      locationType: [],
      uid: [...newLocationRules.uid, duplicate(takenCodes)],
    },
    send: async ({ name, label, uid, locationType }) => {
      const code = uid.trim();
      setSentCode(code);
      await mutations.create({
        uid: code,
        name: name.trim(),
        label: label.trim(),
        locationType,
        parent: parent?.uid ?? null,
      });
      onCreated(code);
      onClose();
    },
  });
  const input = (path: 'name' | 'label' | 'locationType') => {
    const control = form.input(path);
    if (path !== 'name') return control;
    return {
      ...control,
      onChange: (event: unknown, data: { readonly value: string }) => {
        control.onChange(event, data);
        if (!isCodeTyped)
          form
            .state('uid')
            .onChange(proposeCode(data.value, parent?.uid, (code) => takenCodes.has(code.toUpperCase())));
      },
    };
  };
  const code = form.input('uid');
  return (
    <FormDialog
      title={parent ? t('locations.sites.addTitle', { name: parent.name }) : t('locations.sites.addSiteTitle')}
      action={t('locations.sites.create')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <LocationFields types={types} input={input} field={form.field} />
      <Field label={t('locations.sites.code')} hint={t('locations.sites.codeHint')} required {...form.field('uid')}>
        <Input
          {...code}
          autoComplete="off"
          spellCheck={false}
          onChange={(event, data) => {
            setCodeTyped(data.value !== '');
            code.onChange(event, data);
          }}
        />
      </Field>
    </FormDialog>
  );
}

/** All known codes except one, in upper case. */
function listCodes(roots: readonly LocationNode[], except: string | undefined): ReadonlySet<string> {
  const codes = new Set<string>();
  const add = (node: LocationNode): void => {
    if (node.uid !== except) codes.add(node.uid.toUpperCase());
    node.children.forEach(add);
  };
  roots.forEach(add);
  return codes;
}
