import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { mandatory, max, min, number } from '#core';
import { Button, Field, Input, useForm } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { ApiError, HttpClient, useFormatFailure, useService, useText } from '#core/web';
import type { getTag } from '../../../../contract/api.ts';
import type { AlignmentEditor } from '../../stores/alignment/alignment-editor.ts';
import type { SiteLengthFormats } from '../../stores/site-lengths.ts';

const maxCoordinate = 1e8;
const coordinateRules = [mandatory, number, min(-maxCoordinate), max(maxCoordinate)];

interface Values {
  east: number | undefined;
  north: number | undefined;
  up: number | undefined;
}

export interface PointFormProps {
  readonly editor: AlignmentEditor;
  /** The form keeps the formats of its first render, because its values are in their unit. */
  readonly lengths: SiteLengthFormats;
  readonly location: string;
  /** True if there is neither a model nor a point cloud. */
  readonly hasNoSurface: boolean;
}

/** Sets the point of a tie by coordinates or by a tag. */
export const PointForm = observer(function PointForm({
  editor,
  lengths: currentLengths,
  location,
  hasNoSurface,
}: PointFormProps) {
  const t = useText();
  const styles = useAdminStyles();
  const [lengths] = useState(currentLengths);
  const http = useService(HttpClient);
  const formatFailure = useFormatFailure();
  const [tagInput, setTagInput] = useState('');
  const [tagProblem, setTagProblem] = useState<string>();
  const form = useForm<Values>({
    initial: { east: undefined, north: undefined, up: undefined },
    rules: { east: coordinateRules, north: coordinateRules, up: coordinateRules },
    send: async ({ east = 0, north = 0, up = 0 }) =>
      editor.markPoint([lengths.toMetres(east), lengths.toMetres(north), lengths.toMetres(up)]),
  });
  const chooseTag = async (): Promise<void> => {
    const tagNumber = tagInput.trim();
    setTagProblem(tagNumber === '' ? t('tour.align.tagMissing') : undefined);
    if (tagNumber === '') return;
    try {
      const { position } = await http.call<typeof getTag>('GET', '/api/tour/:location/tags/:number', {
        params: { location, number: tagNumber },
      });
      if (position) editor.markPoint(position);
      else setTagProblem(t('tour.align.tagWithoutPlace', { number: tagNumber }));
    } catch (cause) {
      const isUnknown = cause instanceof ApiError && cause.status === 404;
      setTagProblem(isUnknown ? t('tour.align.tagUnknown', { number: tagNumber }) : formatFailure(cause));
    }
  };
  return (
    <div className={styles.form}>
      <p className={styles.note}>{t(hasNoSurface ? 'tour.align.typedOnly' : 'tour.align.typedHint')}</p>
      <form className={styles.form} onSubmit={form.submit} noValidate>
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
        <div className={styles.actions}>
          <Button type="submit">{t('tour.align.usePoint')}</Button>
        </div>
      </form>
      <Field
        label={t('tour.align.tag')}
        {...(tagProblem === undefined ? {} : { validationMessage: tagProblem, validationState: 'error' as const })}
      >
        <Input
          value={tagInput}
          autoComplete="off"
          onChange={(_, { value }) => setTagInput(value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void chooseTag();
          }}
        />
      </Field>
      <div className={styles.actions}>
        <Button onClick={() => void chooseTag()}>{t('tour.align.useTag')}</Button>
      </div>
    </div>
  );
});
