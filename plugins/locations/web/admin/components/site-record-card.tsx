import { observer } from 'mobx-react-lite';
import { useEffect, useId, useState } from 'react';
import { siteUnits, type LocationNode, type LocationRow, type SiteRecord } from '#core';
import { Button, Field, Input, MessageBar, MessageBarBody, Select, useForm } from '#core/ui';
import { readConflict, useAdminStyles } from '#core/ui-data';
import { Sites, useFormatFailure, useService, useText, useUnsavedWork } from '#core/web';
import type { LocationMutations } from '../stores/location-mutations.ts';
import {
  listDifferingKeys,
  siteRecordFieldRules,
  toSiteRecord,
  toSiteRecordFields,
  validateCrs,
  type SiteRecordFields,
  type SiteRecordKey,
} from '../stores/site-record-fields.ts';
import { SiteRecordConflict } from './site-record-conflict.tsx';
import { TimeZoneField } from './time-zone-field.tsx';

export interface SiteRecordCardProps {
  readonly site: LocationNode;
  readonly mutations: LocationMutations;
}

/** The time zone, the frame and the vertical datum of a site. A reload does not replace unsaved input. */
export const SiteRecordCard = observer(function SiteRecordCard({ site, mutations }: SiteRecordCardProps) {
  const t = useText();
  const styles = useAdminStyles();
  const heading = useId();
  const currentRecord = useService(Sites).recordAt(site.uid);
  const [shownRecord, setShownRecord] = useState(currentRecord);
  const [unsaved, setUnsaved] = useState(false);
  /** Key of the form: a new key remounts the form with the record. */
  const [formKey, setFormKey] = useState(0);
  if (!unsaved && JSON.stringify(shownRecord) !== JSON.stringify(currentRecord)) setShownRecord(currentRecord);
  return (
    <section className={styles.card} aria-labelledby={heading}>
      <h3 id={heading} className={styles.name}>
        {t('locations.sites.record')}
      </h3>
      <p className={styles.note}>{t('locations.sites.recordHint')}</p>
      <SiteRecordForm
        key={`${formKey} ${JSON.stringify(shownRecord)}`}
        record={shownRecord}
        onUnsaved={setUnsaved}
        onSave={async (record, base) => {
          if (listDifferingKeys(record, base).length > 0) await mutations.saveSite(site, record, base);
          setFormKey((last) => last + 1);
          setUnsaved(false);
        }}
      />
    </section>
  );
});

interface SiteRecordFormProps {
  readonly record: SiteRecord;
  readonly onUnsaved: (unsaved: boolean) => void;
  /** `base` is the record that the person has changed. */
  readonly onSave: (record: SiteRecord, base: SiteRecord) => Promise<void>;
}

/** After a conflict, values that only the other person has changed replace those of the form. */
function SiteRecordForm({ record, onUnsaved, onSave }: SiteRecordFormProps) {
  const t = useText();
  const styles = useAdminStyles();
  const formatFailure = useFormatFailure();
  const [initial] = useState(() => toSiteRecordFields(record));
  const [base, setBase] = useState(record);
  const form = useForm<SiteRecordFields>({
    initial,
    rules: siteRecordFieldRules,
    validateTogether: validateCrs,
    send: async (values) => {
      const input = toSiteRecord(values);
      try {
        await onSave(input, base);
      } catch (cause) {
        const theirs = readConflict<LocationRow>(cause)?.site;
        if (!theirs) throw cause;
        const changedHere = listDifferingKeys(input, base);
        const fields = toSiteRecordFields(theirs);
        for (const key of listDifferingKeys(theirs, base)) if (!changedHere.includes(key)) applyToForm[key](fields);
        setBase(theirs);
      }
    },
  });
  const applyToForm: Readonly<Record<SiteRecordKey, (fields: SiteRecordFields) => void>> = {
    timeZone: (fields) => form.state('timeZone').onChange(fields.timeZone),
    crs: ({ crsKind: kind, frame }) => {
      form.state('crsKind').onChange(kind);
      form.state('frame.crs').onChange(frame.crs);
    },
    unit: ({ frame }) => form.state('frame.unit').onChange(frame.unit),
    east: ({ frame }) => form.state('frame.origin.east').onChange(frame.origin.east),
    north: ({ frame }) => form.state('frame.origin.north').onChange(frame.origin.north),
    up: ({ frame }) => form.state('frame.origin.up').onChange(frame.origin.up),
    rotation: ({ frame }) => form.state('frame.rotation').onChange(frame.rotation),
    datum: ({ verticalDatum }) => form.state('verticalDatum').onChange(verticalDatum),
  };
  const { changed } = form;
  useUnsavedWork(changed, 'locations.site');
  useEffect(() => onUnsaved(changed), [onUnsaved, changed]);
  const timeZone = form.state('timeZone');
  const crsKind = form.state('crsKind');
  const unit = form.state('frame.unit');
  const input = toSiteRecord({
    timeZone: timeZone.value,
    crsKind: crsKind.value,
    frame: {
      crs: form.state('frame.crs').value,
      origin: {
        east: form.state('frame.origin.east').value,
        north: form.state('frame.origin.north').value,
        up: form.state('frame.origin.up').value,
      },
      rotation: form.state('frame.rotation').value,
      unit: unit.value,
    },
    verticalDatum: form.state('verticalDatum').value,
  });
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate>
      <TimeZoneField
        value={timeZone.value}
        disabled={form.busy}
        inputRef={timeZone.ref}
        onChange={timeZone.onChange}
        onBlur={timeZone.onBlur}
        {...form.field('timeZone')}
      />
      <Field label={t('locations.sites.crs')} hint={t('locations.sites.crsHint')}>
        <Select
          value={crsKind.value}
          disabled={form.busy}
          onChange={(_, { value }) => crsKind.onChange(value === 'epsg' ? 'epsg' : 'local')}
        >
          <option value="local">{t('locations.sites.crs.local')}</option>
          <option value="epsg">{t('locations.sites.crs.epsg')}</option>
        </Select>
      </Field>
      {crsKind.value === 'epsg' ? (
        <Field label={t('locations.sites.epsg')} required {...form.field('frame.crs')}>
          <Input inputMode="numeric" {...form.number('frame.crs')} />
        </Field>
      ) : null}
      <Field label={t('locations.sites.unit')} hint={t('locations.sites.unitHint')}>
        <Select
          value={unit.value}
          disabled={form.busy}
          onChange={(_, { value }) => unit.onChange(siteUnits.find((siteUnit) => siteUnit === value) ?? 'm')}
        >
          {siteUnits.map((siteUnit) => (
            <option key={siteUnit} value={siteUnit}>
              {t(`locations.sites.unit.${siteUnit}`)}
            </option>
          ))}
        </Select>
      </Field>
      <fieldset className={styles.fieldset}>
        <legend className={styles.legend}>{t('locations.sites.origin')}</legend>
        <p className={styles.note}>{t('locations.sites.originHint')}</p>
        <div className={styles.three}>
          {(['east', 'north', 'up'] as const).map((axis) => (
            <Field
              key={axis}
              className={styles.narrowField}
              label={t(`locations.sites.origin.${axis}`)}
              required
              {...form.field(`frame.origin.${axis}`)}
            >
              <Input inputMode="decimal" {...form.number(`frame.origin.${axis}`)} />
            </Field>
          ))}
        </div>
      </fieldset>
      <Field
        label={t('locations.sites.rotation')}
        hint={t('locations.sites.rotationHint')}
        required
        {...form.field('frame.rotation')}
      >
        <Input inputMode="decimal" {...form.number('frame.rotation')} />
      </Field>
      <Field label={t('locations.sites.datum')} hint={t('locations.sites.datumHint')} {...form.field('verticalDatum')}>
        <Input {...form.input('verticalDatum')} />
      </Field>
      {base === record ? null : <SiteRecordConflict original={record} theirs={base} input={input} />}
      <div role="alert">
        {form.failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(form.failure)}</MessageBarBody>
          </MessageBar>
        )}
      </div>
      <div className={styles.actions}>
        <Button type="submit" appearance="primary" disabledFocusable={form.busy || !changed}>
          {t('locations.sites.saveRecord')}
        </Button>
      </div>
    </form>
  );
}
