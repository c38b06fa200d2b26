import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Field, Input, Select, useForm } from '#core/ui';
import { FormDialog, useAdminStyles, useConflict } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import type { ContentDeck, ContentNode } from '../../../../contract/api/tour-content.ts';
import type { TourRef } from '../../stores/content-mutations.ts';
import { buildCodeRules, coordinateRules, headingRules, nameRules } from '../../stores/field-rules.ts';
import { toEyePoint, type EastNorth } from '../../stores/to-eye-point.ts';
import { proposeNodeCode } from '../../stores/propose-codes.ts';
import { useInitialSiteLengths } from '../../stores/site-lengths.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';
import { ConflictMessage } from '../conflict-message.tsx';

interface Values {
  code: string;
  name: string;
  /** Uid of a deck, or empty. */
  deck: string;
  east: number | undefined;
  north: number | undefined;
  up: number | undefined;
  heading: number | undefined;
}
const numberPaths = ['east', 'north', 'up', 'heading'] as const;

export interface ViewpointDialogProps {
  /** The viewpoint to change, or the position of a new one. */
  readonly subject: ContentNode | { readonly point: EastNorth };
  readonly tour: TourRef;
  readonly editor: ViewpointEditor;
  readonly decks: readonly ContentDeck[];
  /** Codes of all known viewpoints. */
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Adds or changes a viewpoint. */
export const ViewpointDialog = observer(function ViewpointDialog({
  subject,
  tour,
  editor,
  decks,
  codes,
  onClose,
}: ViewpointDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  const formats = useFormats();
  const lengths = useInitialSiteLengths(tour.location);
  const node = 'uid' in subject ? subject : undefined;
  const { theirs, attempt } = useConflict(node);
  // A retry sends the same uid, so that it cannot create a second viewpoint.
  const [subjectUid] = useState(() => node?.uid ?? crypto.randomUUID());
  const [initial] = useState<Values>(() => {
    const code = node?.code ?? proposeNodeCode(codes);
    const name = node?.name ?? t('tour.content.viewpoint.name', { code });
    const deck = (node ? node.deck : editor.deck?.uid) ?? '';
    const position = 'uid' in subject ? subject.position : toEyePoint(subject.point, editor.deck?.elevation ?? 0);
    const [east, north, up] = position.map(lengths.toField);
    return { code, name, deck, east, north, up, heading: node?.heading ?? 0 };
  });
  const form = useForm<Values>({
    initial,
    rules: {
      name: nameRules,
      code: node ? [] : buildCodeRules(codes),
      deck: [],
      east: coordinateRules,
      north: coordinateRules,
      up: coordinateRules,
      heading: headingRules,
    },
    send: async ({ code, name, deck, east = 0, north = 0, up = 0, heading = 0 }) => {
      const fields = {
        name: name.trim(),
        deck: deck === '' ? null : deck,
        position: [
          lengths.toMetres(east, [node?.position[0]]),
          lengths.toMetres(north, [node?.position[1]]),
          lengths.toMetres(up, [node?.position[2]]),
        ] as const,
        heading,
      };
      const isSaved = await attempt((base) =>
        base
          ? editor.mutations.updateNodes(tour, [{ uid: subjectUid, ...fields, version: base.version }], 'nodesChanged')
          : editor.mutations.createNodes(tour, [{ uid: subjectUid, code: code.trim(), ...fields }]),
      );
      if (!isSaved) return;
      editor.select([subjectUid]);
      onClose();
    },
  });
  const deckState = form.state('deck');
  const findDeckName = (uid: string | null): string =>
    decks.find((deck) => deck.uid === uid)?.name ?? t('tour.content.noDeck');
  const labels = {
    east: t('tour.content.east', { unit: lengths.symbol }),
    north: t('tour.content.north.axis', { unit: lengths.symbol }),
    up: t('tour.content.up', { unit: lengths.symbol }),
    heading: t('tour.content.heading'),
  };
  const currentValues = theirs && {
    east: lengths.toField(theirs.position[0]),
    north: lengths.toField(theirs.position[1]),
    up: lengths.toField(theirs.position[2]),
    heading: theirs.heading,
  };
  const differences = theirs &&
    currentValues && [
      ...(theirs.name === form.state('name').value.trim() ? [] : [[t('tour.content.name'), theirs.name] as const]),
      ...((theirs.deck ?? '') === deckState.value ? [] : [[t('tour.deck'), findDeckName(theirs.deck)] as const]),
      ...numberPaths
        .filter((path) => currentValues[path] !== form.state(path).value)
        .map((path) => [labels[path], formats.coordinate(currentValues[path])] as const),
    ];
  return (
    <FormDialog
      title={node ? t('tour.content.viewpoint.editTitle', { name: node.name }) : t('tour.content.viewpoint.addTitle')}
      action={t(theirs ? 'tour.content.saveMine' : node ? 'tour.content.save' : 'tour.content.create')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <ConflictMessage differences={differences} />
      <Field label={t('tour.content.name')} required {...form.field('name')}>
        <Input {...form.input('name')} autoComplete="off" />
      </Field>
      {node ? (
        <p className={styles.note}>{t('tour.content.codeStays', { code: node.code })}</p>
      ) : (
        <Field label={t('tour.content.code')} hint={t('tour.content.codeHint')} required {...form.field('code')}>
          <Input {...form.input('code')} autoComplete="off" spellCheck={false} />
        </Field>
      )}
      <Field label={t('tour.deck')}>
        <Select {...form.input('deck')}>
          {decks.map(({ uid, name }) => (
            <option key={uid} value={uid}>
              {name}
            </option>
          ))}
          <option value="">{t('tour.content.noDeck')}</option>
        </Select>
      </Field>
      <fieldset className={styles.fieldset}>
        <legend className={styles.legend}>{t('tour.content.position')}</legend>
        <p className={styles.note}>{t('tour.content.positionHint')}</p>
        <div className={styles.three}>
          {(['east', 'north', 'up'] as const).map((path) => (
            <Field key={path} className={styles.narrowField} label={labels[path]} required {...form.field(path)}>
              <Input inputMode="decimal" autoComplete="off" {...form.number(path)} />
            </Field>
          ))}
        </div>
        <Field label={labels.heading} hint={t('tour.content.headingHint')} required {...form.field('heading')}>
          <Input inputMode="decimal" autoComplete="off" {...form.number('heading')} />
        </Field>
      </fieldset>
    </FormDialog>
  );
});
