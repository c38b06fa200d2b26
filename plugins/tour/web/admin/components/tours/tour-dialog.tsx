import { useState } from 'react';
import type { LocationNode } from '#core';
import { Field, Input, Select, useForm } from '#core/ui';
import { FormDialog, useAdminStyles, useConflict } from '#core/ui-data';
import { useText } from '#core/web';
import type { ContentNode, ContentTour } from '../../../../contract/api/tour-content.ts';
import type { ContentMutations } from '../../stores/content-mutations.ts';
import { buildCodeRules, nameRules } from '../../stores/field-rules.ts';
import { proposeCodeFrom } from '../../stores/propose-codes.ts';
import { ConflictMessage } from '../conflict-message.tsx';

interface Values {
  location: string;
  code: string;
  name: string;
  /** Empty for a tour without viewpoints. */
  startNode: string;
}

export interface TourDialogProps {
  /** Undefined for a new tour. */
  readonly tour: ContentTour | undefined;
  /** Viewpoints of the tour. */
  readonly nodes: readonly ContentNode[];
  /** Locations without a tour. */
  readonly locations: readonly LocationNode[];
  readonly codes: readonly string[];
  readonly mutations: ContentMutations;
  readonly onClose: () => void;
}

/** Creates the tour of a location, or changes its name and its first viewpoint. */
export function TourDialog({ tour, nodes, locations, codes, mutations, onClose }: TourDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  const { theirs, attempt } = useConflict(tour);
  // A retry sends the same uid, so that it cannot create a second tour.
  const [newUid] = useState(() => crypto.randomUUID());
  const [initial] = useState<Values>(() => {
    const proposedLocation = locations.find(({ locationType }) => locationType === 'PLATFORM_UNIT') ?? locations[0];
    return {
      location: proposedLocation?.uid ?? '',
      code: proposedLocation ? proposeCodeFrom(proposedLocation, codes) : '',
      name: tour?.name ?? proposedLocation?.name ?? '',
      startNode: tour?.startNode ?? '',
    };
  });
  const form = useForm<Values>({
    initial,
    rules: { location: [], code: tour ? [] : buildCodeRules(codes), name: nameRules, startNode: [] },
    send: async ({ location, code, name, startNode }) => {
      const isSaved = await attempt((base) =>
        base
          ? mutations.updateTour(base, {
              name: name.trim(),
              startNode: startNode === '' ? null : startNode,
              version: base.version,
            })
          : mutations.createTour(location, { uid: newUid, code: code.trim(), name: name.trim() }),
      );
      if (isSaved) onClose();
    },
  });
  const location = form.input('location');
  const chooseLocation = (uid: string): void => {
    const chosenLocation = locations.find((option) => option.uid === uid);
    const previousLocation = locations.find((option) => option.uid === location.value);
    form.state('location').onChange(uid);
    if (!chosenLocation || !previousLocation) return;
    // Keeps texts that the person has typed.
    if (form.state('name').value === previousLocation.name) form.state('name').onChange(chosenLocation.name);
    if (form.state('code').value === proposeCodeFrom(previousLocation, codes))
      form.state('code').onChange(proposeCodeFrom(chosenLocation, codes));
  };
  const findName = (uid: string | null): string =>
    nodes.find((node) => node.uid === uid)?.name ?? t('tour.content.tour.noStart');
  const differences = theirs && [
    ...(theirs.name === form.state('name').value.trim() ? [] : [[t('tour.content.name'), theirs.name] as const]),
    ...((theirs.startNode ?? '') === form.state('startNode').value
      ? []
      : [[t('tour.content.tour.start'), findName(theirs.startNode)] as const]),
  ];
  return (
    <FormDialog
      title={tour ? t('tour.content.tour.editTitle', { name: tour.name }) : t('tour.content.tour.addTitle')}
      action={t(theirs ? 'tour.content.saveMine' : tour ? 'tour.content.save' : 'tour.content.create')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <ConflictMessage differences={differences} />
      {tour ? null : (
        <Field label={t('tour.content.tour.location')} hint={t('tour.content.tour.locationHint')}>
          <Select {...location} onChange={(_, { value }) => chooseLocation(value)}>
            {locations.map(({ uid, name, label }) => (
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
      {tour ? (
        <>
          <p className={styles.note}>{t('tour.content.codeStays', { code: tour.code })}</p>
          <Field label={t('tour.content.tour.start')} hint={t('tour.content.tour.startHint')}>
            <Select {...form.input('startNode')}>
              {nodes.length === 0 || initial.startNode === '' ? (
                <option value="">{t('tour.content.tour.noStart')}</option>
              ) : null}
              {nodes.map(({ uid, code, name }) => (
                <option key={uid} value={uid}>{`${code} · ${name}`}</option>
              ))}
            </Select>
          </Field>
        </>
      ) : (
        <Field label={t('tour.content.code')} hint={t('tour.content.codeHint')} required {...form.field('code')}>
          <Input {...form.input('code')} autoComplete="off" spellCheck={false} />
        </Field>
      )}
    </FormDialog>
  );
}
