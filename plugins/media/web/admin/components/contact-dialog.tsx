import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { integer, max, min } from '#core';
import { Checkbox, Field, Input, MessageBar, MessageBarBody, Select, useForm } from '#core/ui';
import { FormDialog, readConflict, useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import { contactCategories, type Contact, type ContactCategory } from '#plugins/media';
import { contactRules, findUnreachable } from '../../../contract/rules.ts';
import type { ContactMutations } from '../stores/contact-mutations.ts';
import { LocationOptions } from './location-options.tsx';

interface FormValues {
  name: string;
  jobTitle: string;
  category: ContactCategory;
  email: string;
  phone: string;
  location: string;
  languages: string;
  sequence: number | undefined;
  onLogin: boolean;
}

export interface ContactDialogProps {
  /** Undefined for a new contact. */
  readonly contact: Contact | undefined;
  readonly mutations: ContactMutations;
  readonly onClose: () => void;
}

/** Creates a contact or changes it. */
export const ContactDialog = observer(function ContactDialog({ contact, mutations, onClose }: ContactDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  // The uid is created once, so that a retry after a lost reply does not create a second contact.
  const [uid] = useState(() => contact?.uid ?? crypto.randomUUID());
  const [version, setVersion] = useState(contact?.version ?? 0);
  const [hasConflict, setHasConflict] = useState(false);
  const [initial] = useState<FormValues>(() => ({
    name: contact?.name ?? '',
    jobTitle: contact?.jobTitle ?? '',
    category: contact?.category ?? 'SUPPORT',
    email: contact?.email ?? '',
    phone: contact?.phone ?? '',
    location: contact?.location ?? '',
    languages: (contact?.languages ?? []).join('; '),
    sequence: contact?.sequence ?? 0,
    onLogin: contact?.onLogin ?? false,
  }));
  const form = useForm<FormValues>({
    initial,
    rules: {
      ...contactRules,
      category: [],
      location: [],
      languages: [],
      sequence: [integer, min(0), max(1_000_000)],
      onLogin: [],
    },
    validateTogether: (values) => {
      const error = findUnreachable(values);
      return error ? { phone: error } : {};
    },
    send: async ({ languages, sequence = 0, location, jobTitle, email, phone, ...values }) => {
      try {
        await mutations.save(
          uid,
          {
            ...values,
            jobTitle: jobTitle.trim() || null,
            email: email.trim() || null,
            phone: phone.trim() || null,
            location: location || null,
            languages: languages.split(/[;,]/).flatMap((language) => language.trim() || []),
            sequence,
          },
          version,
        );
        onClose();
      } catch (cause) {
        const current = readConflict<Contact>(cause);
        // The input stays. Saving again replaces the values of the other person.
        if (!current) throw cause;
        setVersion(current.version);
        setHasConflict(true);
      }
    },
  });
  const renderTextField = (name: 'name' | 'jobTitle' | 'email' | 'phone' | 'languages', required = false) => (
    <Field label={t(`media.contact.${name}`)} required={required} {...form.field(name)}>
      <Input {...form.input(name)} autoComplete="off" />
    </Field>
  );
  return (
    <FormDialog
      title={contact ? t('media.contact.editTitle', { name: contact.name }) : t('media.contact.add')}
      action={t(hasConflict ? 'media.contact.saveMine' : 'media.contact.save')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <div role="alert">
        {hasConflict ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>{t('media.contact.conflict')}</MessageBarBody>
          </MessageBar>
        ) : null}
      </div>
      {renderTextField('name', true)}
      {renderTextField('jobTitle')}
      <Field label={t('media.contact.category')}>
        <Select {...form.input('category')}>
          {contactCategories.map((category) => (
            <option key={category} value={category}>
              {t(`media.contact.category.${category}`)}
            </option>
          ))}
        </Select>
      </Field>
      <p className={styles.note}>{t('media.contact.reachHint')}</p>
      {renderTextField('email')}
      {renderTextField('phone')}
      <Field label={t('media.contact.location')} hint={t('media.contact.locationHint')}>
        <Select {...form.input('location')}>
          <option value="">{t('media.contact.everybody')}</option>
          <LocationOptions />
        </Select>
      </Field>
      {renderTextField('languages')}
      <Field label={t('media.contact.sequence')} hint={t('media.contact.sequenceHint')} {...form.field('sequence')}>
        <Input inputMode="numeric" {...form.number('sequence')} />
      </Field>
      <Checkbox {...form.checkbox('onLogin')} label={t('media.contact.onLogin')} />
    </FormDialog>
  );
});
