import { observer } from 'mobx-react-lite';
import { distanceBetween, computeShortestTurn } from '#core';
import { Checkbox, Field, MessageBar, MessageBarBody, Select } from '#core/ui';
import { DescriptionList, useAdminStyles } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import type { AlignmentEditor, AlignMode } from '../../stores/alignment/alignment-editor.ts';

const automatic = 'automatic';
/** A longer movement is probably caused by a wrong tie. */
const maxExpectedMetres = 1;

/** Shows the effect of an alignment: change of position and heading, residual, uncertainty and tilt. */
export const AlignmentResult = observer(function AlignmentResult({ editor }: { readonly editor: AlignmentEditor }) {
  const t = useText();
  const styles = useAdminStyles();
  const formats = useFormats();
  const { fit, pose, node, tilt, mode, residualBefore, result, ties, turnedHeading, canLevel, isLevelling } = editor;
  // Avoids “-0.00°” for a small negative value.
  const formatDegrees = (value: number): string =>
    t('tour.align.degrees', { value: Math.round(value * 100) / 100 || 0 });
  const formatMillimetres = (metres: number): string => formats.length(metres, 'mm');
  const details: (readonly [string, string])[] = [];
  if (fit ?? turnedHeading !== undefined)
    details.push([
      t('tour.content.heading'),
      t('tour.align.change', {
        before: formatDegrees(node.heading),
        after: formatDegrees(pose.heading),
        by: formatDegrees(computeShortestTurn(node.heading, pose.heading)),
      }),
    ]);
  if (fit && residualBefore !== undefined)
    details.push([
      t('tour.align.residual'),
      t('tour.align.beforeAfter', { before: formatDegrees(residualBefore), after: formatDegrees(fit.residual) }),
    ]);
  if (fit && mode === 'pose')
    details.push(
      [t('tour.align.moved'), formatMillimetres(distanceBetween(node.position, pose.position))],
      [
        t('tour.align.uncertainty'),
        fit.positionSigma === undefined
          ? t('tour.align.notDetermined')
          : t('tour.align.plusMinus', { value: formatMillimetres(fit.positionSigma) }),
      ],
    );
  if (fit && isLevelling)
    details.push([
      t('tour.align.levelled'),
      t('tour.align.pitchAndRoll', { pitch: formatDegrees(fit.pose.pitch), roll: formatDegrees(fit.pose.roll) }),
    ]);
  return (
    <section className={styles.form} aria-labelledby="align-result">
      <h2 id="align-result" className={styles.name}>
        {t('tour.align.result')}
      </h2>
      <Field label={t('tour.align.correct')} className={styles.choice}>
        <Select
          value={editor.chosenMode ?? automatic}
          onChange={(_, { value }) => editor.chooseMode(value === automatic ? undefined : (value as AlignMode))}
        >
          <option value={automatic}>{t('tour.align.mode.automatic')}</option>
          <option value="heading">{t('tour.align.mode.heading')}</option>
          <option value="pose">{t('tour.align.mode.pose')}</option>
        </Select>
      </Field>
      <Checkbox
        label={t('tour.align.level')}
        checked={isLevelling}
        disabled={!canLevel}
        onChange={(_, { checked }) => editor.chooseLevelling(checked === true)}
      />
      {details.length > 0 ? <DescriptionList items={details} /> : null}
      <div role="status">
        {result.problem && ties.length > 0 ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>{t(`tour.align.problem.${result.problem}`)}</MessageBarBody>
          </MessageBar>
        ) : null}
        {fit && distanceBetween(node.position, pose.position) > maxExpectedMetres ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>{t('tour.align.far')}</MessageBarBody>
          </MessageBar>
        ) : null}
        {tilt && !isLevelling ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>
              {t('tour.align.tilted', { pitch: formatDegrees(tilt.pitch), roll: formatDegrees(tilt.roll) })}
            </MessageBarBody>
          </MessageBar>
        ) : null}
      </div>
    </section>
  );
});
