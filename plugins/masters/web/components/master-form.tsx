import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Field, Input, Radio, RadioGroup, Select, useForm } from '#core/ui';
import { ConflictMessage, PageForm, useConflict, useAdminStyles } from '#core/ui-data';
import { useFormats, useText, useUnsavedWork } from '#core/web';
import type { MasterType } from '../../contract/api.ts';
import type { MasterData, MasterDetails } from '../../contract/api/master-data.ts';
import { frenchNameRules, nameRules, sequenceRules } from '../../contract/rules.ts';
import { masterParentTypes, masterTypes, type MasterTypeCode } from '../../contract/values.ts';
import type { MasterMutations } from '../stores/master-mutations.ts';
import { ParentChoice } from './parent-choice.tsx';

interface FormValues {
  type: MasterTypeCode;
  name: string;
  frenchName: string;
  parent: MasterData['parent'];
  sequence: number | undefined;
  active: boolean;
}

export interface MasterFormProps {
  /** Undefined for a new master. */
  readonly master: MasterDetails | undefined;
  /** Type of a new master. */
  readonly type: MasterTypeCode;
  readonly types: readonly MasterType[];
  readonly mutations: MasterMutations;
  readonly onChanged: (changed: boolean) => void;
  /** Gets the type of the saved master. */
  readonly onSaved: (type: MasterTypeCode) => void;
}

/** Creates or changes a master. */
export const MasterForm = observer(function MasterForm({
  master,
  type: proposedType,
  types,
  mutations,
  onChanged,
  onSaved,
}: MasterFormProps) {
  const t = useText();
  const styles = useAdminStyles();
  const formats = useFormats();
  const { theirs, attempt } = useConflict<MasterData | undefined>(master);
  // A repeated request after a lost reply creates nothing twice.
  const [newUid] = useState(() => crypto.randomUUID());
  const isActive = (code: MasterTypeCode): boolean =>
    types.some((masterType) => masterType.code === code && masterType.active);
  const [initial] = useState<FormValues>(() => ({
    type: master?.type ?? proposedType,
    name: master?.name ?? '',
    frenchName: master?.frenchName ?? '',
    parent: master?.parent ?? null,
    sequence: master?.sequence ?? 0,
    active: master?.active ?? isActive(proposedType),
  }));
  const form = useForm<FormValues>({
    initial,
    rules: { type: [], name: nameRules, frenchName: frenchNameRules, parent: [], sequence: sequenceRules, active: [] },
    send: async ({ type, name, frenchName, parent, sequence = 0, active }) => {
      const fields = {
        name: name.trim(),
        frenchName: frenchName.trim() || null,
        parent: parent?.uid ?? null,
        sequence,
        active,
      };
      const isSaved = await attempt((base) =>
        base
          ? mutations.update(base.uid, { ...fields, version: base.version })
          : mutations.create({ uid: newUid, type, ...fields }),
      );
      if (isSaved) onSaved(type);
    },
  });
  const { changed } = form;
  useUnsavedWork(changed, 'masters.title');
  useEffect(() => onChanged(changed), [changed, onChanged]);
  const { value: type } = form.state('type');
  const parent = form.state('parent');
  const active = form.state('active');
  const parentType = masterParentTypes[type];
  const formatStatus = (value: boolean): string => t(value ? 'masters.active' : 'masters.inactive');
  const chooseType = (code: MasterTypeCode | undefined): void => {
    if (code === undefined) return;
    form.state('type').onChange(code);
    parent.onChange(null);
    if (!isActive(code)) active.onChange(false);
  };
  const listDifference = (label: string, currentValue: string, input: string): readonly string[] =>
    currentValue === input ? [] : [t('masters.fieldValue', { field: label, value: currentValue || '–' })];
  const differences = theirs && [
    ...listDifference(t('masters.name'), theirs.name, form.state('name').value.trim()),
    ...listDifference(t('masters.frenchName'), theirs.frenchName ?? '', form.state('frenchName').value.trim()),
    ...listDifference(t('masters.parent'), theirs.parent?.name ?? '', parent.value?.name ?? ''),
    ...listDifference(
      t('masters.sequence'),
      formats.number(theirs.sequence),
      formats.number(form.state('sequence').value ?? 0),
    ),
    ...listDifference(t('masters.status'), formatStatus(theirs.active), formatStatus(active.value)),
  ];
  return (
    <PageForm
      label={t('masters.one')}
      action={t(theirs ? 'masters.saveMine' : master ? 'masters.save' : 'masters.create')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
    >
      <ConflictMessage
        title={t('masters.conflict')}
        hint={t(differences?.length === 0 ? 'masters.conflictSame' : 'masters.conflictHint')}
        differences={differences}
      />
      <Field label={t('masters.type')} required {...form.field('type')}>
        <Select
          value={type}
          disabled={form.busy || master !== undefined}
          onChange={(_, { value }) => chooseType(masterTypes.find((code) => code === value))}
        >
          {masterTypes.map((code) => (
            <option key={code} value={code}>
              {t(`masters.type.${code}`)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('masters.name')} hint={t('masters.nameHint')} required {...form.field('name')}>
        <Input {...form.input('name')} autoComplete="off" />
      </Field>
      <Field label={t('masters.frenchName')} hint={t('masters.frenchNameHint')} {...form.field('frenchName')}>
        <Input {...form.input('frenchName')} autoComplete="off" />
      </Field>
      {parentType === undefined ? null : (
        <ParentChoice
          key={parentType}
          type={parentType}
          value={parent.value}
          disabled={form.busy}
          field={form.field('parent')}
          onChange={parent.onChange}
        />
      )}
      <Field
        className={styles.narrowField}
        label={t('masters.sequence')}
        hint={t('masters.sequenceHint')}
        required
        {...form.field('sequence')}
      >
        <Input inputMode="numeric" autoComplete="off" {...form.number('sequence')} />
      </Field>
      <Field
        label={t('masters.status')}
        {...(isActive(type) ? {} : { hint: t('masters.typeIsInactive') })}
        {...form.field('active')}
      >
        <RadioGroup
          layout="horizontal"
          value={active.value ? 'ACTIVE' : 'INACTIVE'}
          disabled={form.busy || !isActive(type)}
          onChange={(_, { value }) => active.onChange(value === 'ACTIVE')}
        >
          <Radio value="ACTIVE" label={t('masters.active')} />
          <Radio value="INACTIVE" label={t('masters.inactive')} />
        </RadioGroup>
      </Field>
    </PageForm>
  );
});
