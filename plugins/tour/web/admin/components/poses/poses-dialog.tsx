import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { lengthUnitSymbols, siteUnits, type SiteUnit } from '#core';
import { Checkbox, Field, Input, MessageBar, MessageBarBody, Select, useForm } from '#core/ui';
import { FileChoice, FormDialog, useAdminStyles } from '#core/ui-data';
import { Sites, useFormats, useService, useText, useUnsavedWork } from '#core/web';
import type { TourContent } from '../../../../contract/api/tour-content.ts';
import type { TourRef } from '../../stores/content-mutations.ts';
import { headingRules } from '../../stores/field-rules.ts';
import { matchColumns, readPoseTable, type PoseColumns, type PoseTable } from '../../stores/poses-file/pose-table.ts';
import { findDeckBelow, readPoses } from '../../stores/poses-file/read-poses.ts';
import { readTextFile } from '../../stores/poses-file/read-text-file.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';
import { PoseColumnFields } from './pose-column-fields.tsx';
import { PosePreview } from './pose-preview.tsx';

export interface PosesDialogProps {
  readonly tour: TourRef;
  readonly content: TourContent;
  readonly editor: ViewpointEditor;
  readonly onClose: () => void;
}

interface ChosenFile {
  readonly file: File;
  readonly table: PoseTable;
  readonly columns: PoseColumns;
}

/** Adds the viewpoints of a pose file, whose columns the person checks. */
export const PosesDialog = observer(function PosesDialog({ tour, content, editor, onClose }: PosesDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  const formats = useFormats();
  const { frame, timeZone } = useService(Sites).recordAt(tour.location);
  const hasOwnFrame = frame.rotation !== 0 || Object.values(frame.origin).some((value) => value !== 0);
  const [chosen, setChosen] = useState<ChosenFile>();
  const [unit, setUnit] = useState<SiteUnit>(frame.unit);
  const [isInCrs, setInCrs] = useState(false);
  const [leavesOut, setLeavesOut] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const form = useForm({
    initial: { heading: 0 as number | undefined },
    rules: { heading: headingRules },
    send: async () => {
      setRefused(!isReady);
      if (!isReady) return;
      const nodes = addedPoses.map(({ code, name, position, heading, deck, posedAt }) => ({
        uid: crypto.randomUUID(),
        code,
        name: name.slice(0, 200),
        deck,
        position,
        heading,
        ...(posedAt && { posedAt: posedAt.toISOString() }),
      }));
      await editor.mutations.createNodes(tour, nodes);
      onClose();
    },
  });
  useUnsavedWork(form.busy, 'tour.content.viewpoints');
  const isMatched = (['name', 'east', 'north', 'up'] as const).every((field) => chosen?.columns[field] !== undefined);
  const { poses, problems } =
    chosen && isMatched
      ? readPoses(chosen.table, {
          columns: chosen.columns,
          unit,
          frame: isInCrs ? frame : undefined,
          headingOffset: form.state('heading').value ?? 0,
          timeZone,
        })
      : { poses: [], problems: [] };
  const existingCodes = new Set(content.nodes.map(({ code }) => code.toUpperCase()));
  const addedPoses = poses
    .filter(({ code }) => !existingCodes.has(code.toUpperCase()))
    .map((pose) => ({ ...pose, deck: findDeckBelow(content.decks, pose.position[2]) }));
  const isReady = addedPoses.length > 0 && (problems.length === 0 || leavesOut);

  const choose = async ([file]: readonly File[]): Promise<void> => {
    if (!file) return setChosen(undefined);
    setLeavesOut(false);
    try {
      const table = await readPoseTable(await readTextFile(file));
      setChosen({ file, table, columns: matchColumns(table) });
    } catch {
      // Browsers cannot read a file that was changed or removed after it was chosen.
      setChosen({ file, table: { columns: [], rows: [], hasDecimalComma: false }, columns: {} });
    }
  };
  return (
    <FormDialog
      wide
      title={t('tour.poses.title')}
      action={t('tour.poses.add', { count: addedPoses.length })}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      {isRefused && !isReady ? (
        <div role="alert">
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{t(problems.length > 0 ? 'tour.poses.decide' : 'tour.poses.nothing')}</MessageBarBody>
          </MessageBar>
        </div>
      ) : null}
      <FileChoice
        files={chosen ? [chosen.file] : []}
        accept=".csv,.txt,.tsv"
        disabled={form.busy}
        hint={t('tour.poses.fileHint')}
        onChange={(files) => void choose(files)}
      />
      {chosen && chosen.table.rows.length === 0 ? (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{t('tour.poses.empty')}</MessageBarBody>
        </MessageBar>
      ) : null}
      {chosen && chosen.table.rows.length > 0 ? (
        <>
          <PoseColumnFields
            table={chosen.table}
            columns={chosen.columns}
            onChange={(columns) => setChosen({ ...chosen, columns })}
          />
          <div className={styles.three}>
            <Field className={styles.narrowField} label={t('tour.poses.unit')} hint={t('tour.poses.unitHint')}>
              <Select
                value={unit}
                onChange={(_, { value }) => setUnit(siteUnits.find((option) => option === value) ?? 'm')}
              >
                {siteUnits.map((option) => (
                  <option key={option} value={option}>
                    {lengthUnitSymbols[option]}
                  </option>
                ))}
              </Select>
            </Field>
            <Field
              className={styles.narrowField}
              label={t('tour.poses.headingOffset')}
              hint={t('tour.poses.headingOffsetHint')}
              {...form.field('heading')}
            >
              <Input inputMode="decimal" autoComplete="off" {...form.number('heading')} />
            </Field>
          </div>
          {hasOwnFrame ? (
            <Checkbox
              label={t('tour.poses.inCrs')}
              checked={isInCrs}
              onChange={(_, { checked }) => setInCrs(checked === true)}
            />
          ) : null}
          <PosePreview
            location={tour.location}
            poses={addedPoses}
            problems={problems}
            decks={content.decks}
            existingCount={poses.length - addedPoses.length}
          />
          {isMatched ? null : (
            <MessageBar intent="info" layout="multiline">
              <MessageBarBody>{t('tour.poses.match')}</MessageBarBody>
            </MessageBar>
          )}
          {problems.length === 0 ? null : (
            <Checkbox
              label={t('tour.poses.leaveOut', { count: problems.length, rows: formats.number(problems.length, 0) })}
              checked={leavesOut}
              onChange={(_, { checked }) => setLeavesOut(checked === true)}
            />
          )}
        </>
      ) : null}
    </FormDialog>
  );
});
