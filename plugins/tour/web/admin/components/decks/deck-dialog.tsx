import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { LocationNode } from '#core';
import { Field, Input, Select, useForm } from '#core/ui';
import { FormDialog, useAdminStyles, useConflict } from '#core/ui-data';
import { useText } from '#core/web';
import type { ContentDeck } from '../../../../contract/api/tour-content.ts';
import type { ContentMutations } from '../../stores/content-mutations.ts';
import { floorKinds, type FloorKind } from '../../../../contract/values/content-values.ts';
import { buildCodeRules, coordinateRules, nameRules } from '../../stores/field-rules.ts';
import { proposeCodeFrom } from '../../stores/propose-codes.ts';
import { useInitialSiteLengths } from '../../stores/site-lengths.ts';
import { ConflictMessage } from '../conflict-message.tsx';

interface Values {
  level: string;
  code: string;
  name: string;
  elevation: number | undefined;
  floor: FloorKind;
}

export interface DeckDialogProps {
  /** Undefined for a new deck. */
  readonly deck: ContentDeck | undefined;
  /** Levels without a deck. */
  readonly levels: readonly LocationNode[];
  readonly codes: readonly string[];
  readonly mutations: ContentMutations;
  readonly onClose: () => void;
}

/** Creates the deck of a level, or changes a deck. */
export const DeckDialog = observer(function DeckDialog({ deck, levels, codes, mutations, onClose }: DeckDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  const lengths = useInitialSiteLengths(deck?.location ?? levels[0]?.uid);
  const { theirs, attempt } = useConflict(deck);
  // A retry sends the same uid, so that it cannot create a second deck.
  const [newUid] = useState(() => crypto.randomUUID());
  const [initial] = useState<Values>(() => ({
    level: levels[0]?.uid ?? '',
    code: levels[0] ? proposeCodeFrom(levels[0], codes) : '',
    name: deck?.name ?? levels[0]?.name ?? '',
    elevation: deck && lengths.toField(deck.elevation),
    floor: deck?.floor ?? 'UNKNOWN',
  }));
  const form = useForm<Values>({
    initial,
    rules: {
      level: [],
      code: deck ? [] : buildCodeRules(codes),
      name: nameRules,
      elevation: coordinateRules,
      floor: [],
    },
    send: async ({ level, code, name, elevation = 0, floor }) => {
      const fields = { name: name.trim(), elevation: lengths.toMetres(elevation, [deck?.elevation]), floor };
      const isSaved = await attempt((base) =>
        base
          ? mutations.updateDeck(base, { ...fields, version: base.version })
          : mutations.createDeck(level, { uid: newUid, code: code.trim(), ...fields }),
      );
      if (isSaved) onClose();
    },
  });
  const level = form.input('level');
  const floor = form.state('floor');
  const chooseLevel = (uid: string): void => {
    const chosenLevel = levels.find((option) => option.uid === uid);
    const previousLevel = levels.find((option) => option.uid === level.value);
    form.state('level').onChange(uid);
    if (!chosenLevel || !previousLevel) return;
    // Keeps texts that the person has typed.
    if (form.state('name').value === previousLevel.name) form.state('name').onChange(chosenLevel.name);
    if (form.state('code').value === proposeCodeFrom(previousLevel, codes))
      form.state('code').onChange(proposeCodeFrom(chosenLevel, codes));
  };
  const formatFloor = (kind: FloorKind): string => t(`tour.content.floor.${kind}`);
  const elevationLabel = t('tour.content.elevation', { unit: lengths.symbol });
  const differences = theirs && [
    ...(theirs.name === form.state('name').value.trim() ? [] : [[t('tour.content.name'), theirs.name] as const]),
    ...(lengths.toField(theirs.elevation) === form.state('elevation').value
      ? []
      : [[elevationLabel, lengths.coordinate(theirs.elevation)] as const]),
    ...(theirs.floor === floor.value ? [] : [[t('tour.content.floor'), formatFloor(theirs.floor)] as const]),
  ];
  return (
    <FormDialog
      title={deck ? t('tour.content.deck.editTitle', { name: deck.name }) : t('tour.content.deck.addTitle')}
      action={t(theirs ? 'tour.content.saveMine' : deck ? 'tour.content.save' : 'tour.content.create')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <ConflictMessage differences={differences} />
      {deck ? null : (
        <Field label={t('tour.content.deck.level')} hint={t('tour.content.deck.levelHint')}>
          <Select {...level} onChange={(_, { value }) => chooseLevel(value)}>
            {levels.map(({ uid, name, label }) => (
              <option key={uid} value={uid}>
                {label === '' || label === name ? name : `${name} · ${label}`}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field label={t('tour.content.name')} required {...form.field('name')}>
        <Input {...form.input('name')} autoComplete="off" />
      </Field>
      {deck ? (
        <p className={styles.note}>{t('tour.content.codeStays', { code: deck.code })}</p>
      ) : (
        <Field label={t('tour.content.code')} hint={t('tour.content.codeHint')} required {...form.field('code')}>
          <Input {...form.input('code')} autoComplete="off" spellCheck={false} />
        </Field>
      )}
      <Field label={elevationLabel} hint={t('tour.content.elevationHint')} required {...form.field('elevation')}>
        <Input inputMode="decimal" autoComplete="off" {...form.number('elevation')} />
      </Field>
      <Field label={t('tour.content.floor')} hint={t('tour.content.floorHint')}>
        <Select
          value={floor.value}
          disabled={form.busy}
          onChange={(_, { value }) => floor.onChange(floorKinds.find((kind) => kind === value) ?? 'UNKNOWN')}
        >
          {floorKinds.map((kind) => (
            <option key={kind} value={kind}>
              {formatFloor(kind)}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  );
});
