import { observer } from 'mobx-react-lite';
import { useCallback, useState } from 'react';
import { mandatory, type LocationNode } from '#core';
import { Field, Input, Radio, RadioGroup, Select, Textarea, useForm } from '#core/ui';
import { LocationChoice, useAdminStyles, useConflict } from '#core/ui-data';
import { HttpClient, useService, useText } from '#core/web';
import type { ContentTag, ContentTagDetails, listContentTags } from '../../../../contract/api/tag-content.ts';
import {
  descriptionRules,
  diameterRules,
  dnRules,
  lineEndRules,
  lineKind,
  npsRules,
  numberRules,
  serviceRules,
  tagKinds,
  type TagKind,
} from '../../../../contract/values/tag-values.ts';
import type { TagAndDocumentMutations } from '../../stores/tag-and-document-mutations.ts';
import { useSearchLocation } from '../../stores/use-search-location.ts';
import { ConflictMessage } from '../conflict-message.tsx';
import { FormDrawer } from '../form-drawer.tsx';
import { SearchCombobox, type SearchComboboxOption } from '../search-combobox.tsx';
import { DeleteTagButton } from './delete-tag-button.tsx';
import { TagLinks } from './tag-links.tsx';

interface Values {
  number: string;
  type: 'TAG' | 'LINE';
  kind: TagKind;
  description: string;
  location: string;
  service: string;
  /** Nominal pipe size in inches. Empty for a line without pipe data. */
  nps: string;
  dn: number | undefined;
  /** Millimetres. */
  diameter: number | undefined;
  from: string;
  to: string;
}

export interface TagFormProps {
  /** Undefined for a new tag. */
  readonly details: ContentTagDetails | undefined;
  readonly location: LocationNode;
  readonly mutations: TagAndDocumentMutations;
  readonly onClose: () => void;
  readonly onPlace?: () => void;
  readonly onChanged?: () => Promise<void>;
}

/** Form for a tag or line, with its documents and views. */
export const TagForm = observer(function TagForm({
  details,
  location,
  mutations,
  onClose,
  onPlace,
  onChanged,
}: TagFormProps) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const { theirs, attempt } = useConflict<ContentTag | undefined>(details);
  // A retry sends the same uid, so that it cannot create a second tag.
  const [newUid] = useState(() => crypto.randomUUID());
  const [line, setLine] = useState(() => toOption(details?.line));
  const [initial] = useState<Values>(() => ({
    number: details?.number ?? '',
    type: details?.type ?? 'TAG',
    kind: tagKinds.find((kind) => kind === details?.kind) ?? 'OTHER',
    description: details?.description ?? '',
    location: details?.location ?? location.uid,
    service: details?.pipe?.service ?? '',
    nps: details?.pipe?.nps ?? '',
    dn: details?.pipe?.dn,
    diameter: details?.pipe ? toMillimetres(details.pipe.outsideDiameter) : undefined,
    from: details?.pipe?.from ?? '',
    to: details?.pipe?.to ?? '',
  }));
  const form = useForm<Values>({
    initial,
    rules: {
      number: numberRules,
      type: [],
      kind: [],
      description: descriptionRules,
      location: [],
      nps: npsRules,
      dn: dnRules,
      diameter: diameterRules,
      service: serviceRules.slice(1),
      from: lineEndRules,
      to: lineEndRules,
    },
    // A line with a nominal size requires the other pipe data.
    validateTogether: ({ type, nps, dn, diameter, service }) => {
      if (type === 'TAG' || nps.trim() === '') return {};
      const errors = { dn: mandatory(dn), diameter: mandatory(diameter), service: mandatory(service) };
      return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined));
    },
    send: async (values) => {
      const isLine = values.type === 'LINE';
      const fields = {
        number: values.number.trim(),
        type: values.type,
        kind: isLine ? lineKind : values.kind,
        description: values.description.trim(),
        location: values.location,
        line: isLine ? null : (line?.uid ?? null),
        position: details?.position ?? null,
        pipe: isLine ? toPipe(values) : null,
      };
      const isSaved = await attempt((base) =>
        base
          ? mutations.updateTag(base.uid, { ...fields, position: base.position, version: base.version })
          : mutations.createTag({ uid: newUid, ...fields }),
      );
      if (isSaved) onClose();
    },
  });
  /** Fills diameters by ASME B36.10. The table is loaded only for lines. */
  const fillSize = async (): Promise<void> => {
    const { nominalPipes } = await import('#core/piping');
    const pipe = nominalPipes.find(({ nps }) => nps === form.state('nps').value.trim());
    if (!pipe) return;
    form.state('dn').onChange(pipe.dn);
    form.state('diameter').onChange(toMillimetres(pipe.outsideDiameter));
  };
  const searchLocation = useSearchLocation(location);
  const findLines = useCallback(
    async (text: string, signal: AbortSignal): Promise<readonly SearchComboboxOption[]> => {
      const { rows } = await http.call<typeof listContentTags>(
        'GET',
        '/api/tag-content/:location',
        { params: { location: searchLocation }, query: { text, type: 'LINE', limit: 20 } },
        { signal },
      );
      return rows.map(({ uid, number, description }) => ({ uid, name: number, details: description }));
    },
    [http, searchLocation],
  );
  const changed = form.changed || line?.uid !== details?.line?.uid;
  const type = form.state('type');
  const locationField = form.state('location');
  const formatKind = (kind: string): string => t(`tour.kind.${kind}`);
  const differences = theirs && [
    ...listDifference(t('tour.tags.number'), theirs.number, form.state('number').value.trim()),
    ...listDifference(
      t('tour.tag.kind'),
      formatKind(theirs.kind),
      formatKind(type.value === 'LINE' ? lineKind : form.state('kind').value),
    ),
    ...listDifference(t('tour.tags.description'), theirs.description, form.state('description').value.trim()),
    ...listDifference(t('tour.tag.line'), theirs.line?.number ?? '', line?.name ?? ''),
  ];
  return (
    <FormDrawer
      title={details ? details.number : t('tour.tags.addTitle')}
      action={t(theirs ? 'tour.content.saveMine' : details ? 'tour.content.save' : 'tour.content.create')}
      busy={form.busy}
      changed={changed}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <ConflictMessage differences={differences} />
      <Field label={t('tour.tags.type')}>
        <RadioGroup
          layout="horizontal"
          value={type.value}
          disabled={form.busy}
          onChange={(_, { value }) => type.onChange(value === 'LINE' ? 'LINE' : 'TAG')}
        >
          <Radio value="TAG" label={t('tour.tags.type.TAG')} />
          <Radio value="LINE" label={t('tour.tags.type.LINE')} />
        </RadioGroup>
      </Field>
      <Field label={t('tour.tags.number')} hint={t('tour.tags.numberHint')} required {...form.field('number')}>
        <Input {...form.input('number')} autoComplete="off" spellCheck={false} />
      </Field>
      <Field label={t('tour.tags.description')} {...form.field('description')}>
        <Textarea {...form.input('description')} resize="vertical" />
      </Field>
      <LocationChoice
        label={t('tour.panoramas.location')}
        value={locationField.value}
        onChange={(uid) => locationField.onChange(uid)}
      />
      {type.value === 'TAG' ? (
        <>
          <Field label={t('tour.tag.kind')} {...form.field('kind')}>
            <Select {...form.input('kind')}>
              {tagKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {formatKind(kind)}
                </option>
              ))}
            </Select>
          </Field>
          <SearchCombobox
            label={t('tour.tag.line')}
            hint={t('tour.tags.lineHint')}
            value={line}
            disabled={form.busy}
            find={findLines}
            onChange={setLine}
          />
        </>
      ) : (
        <>
          <div className={styles.three}>
            <Field className={styles.narrowField} label={t('tour.tags.nps')} {...form.field('nps')}>
              <Input
                {...form.input('nps')}
                autoComplete="off"
                onBlur={() => {
                  form.input('nps').onBlur();
                  void fillSize();
                }}
              />
            </Field>
            <Field className={styles.narrowField} label={t('tour.tags.dn')} {...form.field('dn')}>
              <Input inputMode="numeric" autoComplete="off" {...form.number('dn')} />
            </Field>
            <Field className={styles.narrowField} label={t('tour.tags.diameter')} {...form.field('diameter')}>
              <Input inputMode="decimal" autoComplete="off" {...form.number('diameter')} />
            </Field>
          </div>
          {form.state('nps').value.trim() === '' ? null : (
            <>
              <Field label={t('tour.tag.service')} required {...form.field('service')}>
                <Input {...form.input('service')} autoComplete="off" />
              </Field>
              <Field label={t('tour.tag.from')} {...form.field('from')}>
                <Input {...form.input('from')} autoComplete="off" spellCheck={false} />
              </Field>
              <Field label={t('tour.tag.to')} {...form.field('to')}>
                <Input {...form.input('to')} autoComplete="off" spellCheck={false} />
              </Field>
            </>
          )}
        </>
      )}
      {details && onPlace && onChanged ? (
        <>
          <TagLinks
            details={details}
            location={location}
            mutations={mutations}
            onPlace={changed ? undefined : onPlace}
            onChanged={onChanged}
          />
          <div className={styles.actions}>
            <DeleteTagButton details={details} mutations={mutations} onDeleted={onClose} />
          </div>
        </>
      ) : (
        <p className={styles.note}>{t('tour.tags.laterHint')}</p>
      )}
    </FormDrawer>
  );
});

const toOption = (line: ContentTagDetails['line'] | undefined): SearchComboboxOption | undefined =>
  line ? { uid: line.uid, name: line.number, details: '' } : undefined;

const toMillimetres = (metres: number): number => Math.round(metres * 10_000) / 10;

const listDifference = (
  label: string,
  theirValue: string,
  ownValue: string,
): readonly (readonly [label: string, value: string])[] => (theirValue === ownValue ? [] : [[label, theirValue]]);

/** Converts the input to the pipe data of a line. Null without a nominal size, DN or diameter. */
function toPipe({ service, nps, dn, diameter, from, to }: Values) {
  if (nps.trim() === '' || dn === undefined || diameter === undefined) return null;
  return {
    service: service.trim(),
    nps: nps.trim(),
    dn,
    outsideDiameter: diameter / 1000,
    from: from.trim(),
    to: to.trim(),
  };
}
