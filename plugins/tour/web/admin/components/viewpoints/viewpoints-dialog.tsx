import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Field, Input, Select, useForm } from '#core/ui';
import { FormDialog, useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { ContentDeck, ContentNode } from '../../../../contract/api/tour-content.ts';
import type { TourRef } from '../../stores/content-mutations.ts';
import { coordinateRules, headingRules } from '../../stores/field-rules.ts';
import { movePose, turnPose } from '../../stores/poses.ts';
import { useInitialSiteLengths } from '../../stores/site-lengths.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';

const keepDeck = 'keepDeck';

interface Values {
  /** `keepDeck`, a uid, or empty for no deck. */
  deck: string;
  east: number | undefined;
  north: number | undefined;
  up: number | undefined;
  heading: number | undefined;
}
const initial: Values = { deck: keepDeck, east: 0, north: 0, up: 0, heading: 0 };

export interface ViewpointsDialogProps {
  /** Uids of the viewpoints. */
  readonly uids: readonly string[];
  readonly tour: TourRef;
  readonly editor: ViewpointEditor;
  readonly decks: readonly ContentDeck[];
  readonly onClose: () => void;
}

/** Moves and turns several viewpoints by the same amounts, and assigns another deck. */
export const ViewpointsDialog = observer(function ViewpointsDialog({
  uids,
  tour,
  editor,
  decks,
  onClose,
}: ViewpointsDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  const lengths = useInitialSiteLengths(tour.location);
  const [chosenUids] = useState(() => new Set(uids));
  const form = useForm<Values>({
    initial,
    rules: {
      deck: [],
      east: coordinateRules,
      north: coordinateRules,
      up: coordinateRules,
      heading: headingRules,
    },
    send: async ({ deck, east = 0, north = 0, up = 0, heading = 0 }) => {
      // After a conflict, the editor contains the current viewpoints.
      const nodes = editor.nodes.filter(({ uid }) => chosenUids.has(uid));
      const toChangedNode = ({ uid, name, version, ...node }: ContentNode) => ({
        uid,
        name,
        deck: deck === keepDeck ? node.deck : deck === '' ? null : deck,
        ...turnPose(
          movePose(
            { position: node.position, heading: node.heading },
            [lengths.toMetres(east), lengths.toMetres(north)],
            lengths.toMetres(up),
          ),
          heading,
        ),
        version,
      });
      await editor.mutations.updateNodes(tour, nodes.map(toChangedNode), 'nodesChanged');
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('tour.content.viewpoints.editTitle', { count: uids.length })}
      action={t('tour.content.save')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field label={t('tour.deck')}>
        <Select {...form.input('deck')}>
          <option value={keepDeck}>{t('tour.content.viewpoints.keepDeck')}</option>
          {decks.map(({ uid, name }) => (
            <option key={uid} value={uid}>
              {name}
            </option>
          ))}
          <option value="">{t('tour.content.noDeck')}</option>
        </Select>
      </Field>
      <fieldset className={styles.fieldset}>
        <legend className={styles.legend}>{t('tour.content.viewpoints.move')}</legend>
        <div className={styles.three}>
          {(['east', 'north', 'up'] as const).map((path) => (
            <Field
              key={path}
              className={styles.narrowField}
              label={t(path === 'north' ? 'tour.content.north.axis' : `tour.content.${path}`, { unit: lengths.symbol })}
              required
              {...form.field(path)}
            >
              <Input inputMode="decimal" autoComplete="off" {...form.number(path)} />
            </Field>
          ))}
        </div>
        <Field label={t('tour.content.viewpoints.turn')} required {...form.field('heading')}>
          <Input inputMode="decimal" autoComplete="off" {...form.number('heading')} />
        </Field>
      </fieldset>
    </FormDialog>
  );
});
