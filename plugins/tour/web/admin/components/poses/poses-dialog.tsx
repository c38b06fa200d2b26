import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import { lengthUnitSymbols, normalizePan, siteUnits, type DateOrder, type SiteFrame, type SiteUnit } from '#core';
import { Checkbox, Field, Input, MessageBar, MessageBarBody, Select, useForm } from '#core/ui';
import { FileChoice, FormDialog, useAdminStyles } from '#core/ui-data';
import { Sites, useFormats, useService, useText, useUnsavedWork } from '#core/web';
import { createFarFinder, listSiteExtents } from '../../../../common/far-positions.ts';
import type { TourContent } from '../../../../contract/api/tour-content.ts';
import type { TourRef } from '../../stores/content-mutations.ts';
import { headingRules } from '../../stores/field-rules.ts';
import { findFarPoses, proposeCrs } from '../../stores/poses-file/far-poses.ts';
import { comparePoses, planPoses, type NearChoice } from '../../stores/poses-file/plan-poses.ts';
import {
  listPhotogrammetricAngles,
  listUnusedColumns,
  matchColumns,
  readPoseTable,
  type PoseColumns,
  type PoseField,
  type PoseTable,
} from '../../stores/poses-file/pose-table.ts';
import { listHeaderUnits, readPoses, type ReadPosesResult } from '../../stores/poses-file/read-poses.ts';
import { readTextFile } from '../../stores/poses-file/read-text-file.ts';
import { useAnswer } from '../../stores/poses-file/use-answer.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';
import { useSiteLengths } from '../../stores/site-lengths.ts';
import { NearPoses } from './near-poses.tsx';
import { PoseColumnFields } from './pose-column-fields.tsx';
import { PosePreview } from './pose-preview.tsx';
import { PoseUpdates } from './pose-updates.tsx';

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
  readonly unit: SiteUnit;
  /** Whether the coordinates are in the CRS of the site. Undefined until the person has chosen. */
  readonly isInCrs?: boolean;
}

/** Adds the viewpoints of a pose file, whose columns the person checks. */
export const PosesDialog = observer(function PosesDialog({ tour, content, editor, onClose }: PosesDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  const formats = useFormats();
  const lengths = useSiteLengths(tour.location);
  const { frame, timeZone } = useService(Sites).recordAt(tour.location);
  const hasOwnFrame = frame.rotation !== 0 || Object.values(frame.origin).some((value) => value !== 0);
  const [chosen, setChosen] = useState<ChosenFile>();
  const [chosenOrder, setChosenOrder] = useAnswer<DateOrder>(
    chosen?.file,
    chosen?.table.rows.map(({ cells }) => cells[chosen.columns.time ?? -1] ?? '') ?? [],
  );
  const [isRefused, setRefused] = useState(false);
  const form = useForm({
    initial: { heading: 0 as number | undefined },
    rules: { heading: headingRules },
    send: async () => {
      setRefused(!isReady);
      if (!isReady) return;
      const nodes = plan.added.map(({ code, name, position, heading, deck, posedAt, tilt }) => ({
        uid: crypto.randomUUID(),
        code,
        name: name.slice(0, 200),
        deck,
        position,
        heading,
        ...(posedAt && { posedAt: posedAt.toISOString() }),
        ...(tilt && { posedTilt: tilt }),
      }));
      await editor.mutations.applyPoses(tour, { updated: plan.updated.map(({ change }) => change), created: nodes });
      onClose();
    },
  });
  useUnsavedWork(form.busy, 'tour.content.viewpoints');
  const isMatched = (['name', 'east', 'north', 'up'] as const).every((field) => chosen?.columns[field] !== undefined);
  const headingOffset = form.state('heading').value ?? 0;
  // A header that says only `ft` means the survey foot if the site or the person says so.
  const footUnit = chosen?.unit === 'ftUS' ? chosen.unit : frame.unit;
  const readInFrame = (poseFrame: SiteFrame | undefined): ReadPosesResult =>
    chosen && isMatched
      ? readPoses(chosen.table, {
          columns: chosen.columns,
          unit: chosen.unit,
          siteUnit: footUnit,
          frame: poseFrame,
          headingOffset,
          timeZone,
          dateOrder: chosenOrder,
        })
      : { poses: [], problems: [], hasHeadings: false, hasTilts: false, dateOrder: undefined };
  const findMetresAway = useMemo(
    () => createFarFinder(listSiteExtents(content.decks, content.nodes)),
    [content.decks, content.nodes],
  );
  const resultInSiteFrame = readInFrame(undefined);
  const crsProposal = hasOwnFrame
    ? proposeCrs(
        resultInSiteFrame.poses.map(({ position }) => position),
        frame,
        findMetresAway,
      )
    : undefined;
  const isInCrs = chosen?.isInCrs ?? crsProposal !== undefined;
  const result = isInCrs ? readInFrame(frame) : resultInSiteFrame;
  const { dateOrder } = result;
  const isOrderOpen = dateOrder?.ambiguous !== undefined && chosenOrder === undefined;
  // Times of an open order are no problems of their rows.
  const problems = isOrderOpen ? [] : result.problems;
  const comparison = comparePoses(result, content, tour.uid);
  const { moved, near } = comparison;
  const [leavesOutInvalidRows = false, setLeavesOutInvalidRows] = useAnswer<boolean>(chosen?.file, problems);
  const [nearChoice, setNearChoice] = useAnswer<NearChoice>(
    chosen?.file,
    near.map(({ pose, code, node }) => [pose.line, pose.position, code, node?.uid, node?.position]),
  );
  const [updatesExisting = false, setUpdatesExisting] = useAnswer<boolean>(
    chosen?.file,
    moved.map(({ node, pose }) => [node.uid, pose.position, pose.heading, pose.tilt]),
  );
  const plan = planPoses(comparison, content.decks, { updatesExisting, near: nearChoice });
  const isNearOpen = near.length > 0 && nearChoice === undefined;
  const plannedPositions = [...plan.added, ...plan.updated.map(({ change }) => change)].map(({ position }) => position);
  const farPoses = findFarPoses(plannedPositions, findMetresAway);
  const [acceptsFar = false, setAcceptsFar] = useAnswer<boolean>(chosen?.file, plannedPositions);
  const isFarOpen = farPoses !== undefined && !acceptsFar;
  const isReady =
    plan.added.length + plan.updated.length > 0 &&
    !isOrderOpen &&
    !isNearOpen &&
    !isFarOpen &&
    (problems.length === 0 || leavesOutInvalidRows);
  const refusal = isOrderOpen
    ? 'tour.poses.decideOrder'
    : isNearOpen
      ? 'tour.poses.nearMissing'
      : problems.length > 0 && !leavesOutInvalidRows
        ? 'tour.poses.decide'
        : isFarOpen
          ? 'tour.poses.decideFar'
          : 'tour.poses.nothing';
  const headersWithUnit = chosen
    ? Object.entries(listHeaderUnits(chosen.table, chosen.columns, footUnit)).map(([field, unit]) => {
        const header = chosen.table.columns[chosen.columns[field as PoseField] ?? -1] ?? '';
        return unit === 'ft' || unit === 'ftUS' ? t(`tour.poses.headerFoot.${unit}`, { header }) : header;
      })
    : [];
  const unusedColumns = chosen ? listUnusedColumns(chosen.table, chosen.columns) : [];
  const unreadAngles =
    chosen && isMatched && !result.hasHeadings ? listPhotogrammetricAngles(chosen.table, chosen.columns) : [];

  const choose = async ([file]: readonly File[]): Promise<void> => {
    if (!file) return setChosen(undefined);
    // The choices for another file do not count.
    form.state('heading').onChange(0);
    const { unit } = frame;
    try {
      const table = await readPoseTable(await readTextFile(file));
      setChosen({ file, table, columns: matchColumns(table), unit });
    } catch {
      // Browsers cannot read a file that was changed or removed after it was chosen.
      setChosen({ file, table: { columns: [], rows: [], hasDecimalComma: false }, columns: {}, unit });
    }
  };
  const formatDistance = (metres: number): string => lengths.length(metres, { decimals: 0 });
  return (
    <FormDialog
      wide
      title={t('tour.poses.title')}
      action={
        plan.updated.length === 0
          ? t('tour.poses.add', { count: plan.added.length })
          : t('tour.poses.addAndUpdate', { added: plan.added.length, updated: plan.updated.length })
      }
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      {isRefused && !isReady ? (
        <div role="alert">
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{t(refusal)}</MessageBarBody>
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
            <Field
              className={styles.narrowField}
              label={t('tour.poses.unit')}
              hint={
                headersWithUnit.length === 0
                  ? t('tour.poses.unitHint')
                  : t('tour.poses.headerUnits', { headers: headersWithUnit.join(', ') })
              }
            >
              <Select
                value={chosen.unit}
                onChange={(_, { value }) =>
                  setChosen({ ...chosen, unit: siteUnits.find((option) => option === value) ?? 'm' })
                }
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
              onChange={(_, { checked }) => setChosen({ ...chosen, isInCrs: checked === true })}
            />
          ) : null}
          {crsProposal && chosen.isInCrs === undefined ? (
            <MessageBar intent="info" layout="multiline">
              <MessageBarBody>
                {t('tour.poses.crsProposed', {
                  count: crsProposal.count,
                  distance: formatDistance(crsProposal.maxMetres),
                })}
              </MessageBarBody>
            </MessageBar>
          ) : null}
          {unusedColumns.length === 0 ? null : (
            <p className={styles.note}>{t('tour.poses.unused', { columns: unusedColumns.join(', ') })}</p>
          )}
          {unreadAngles.length === 0 ? null : (
            <MessageBar intent="warning" layout="multiline">
              <MessageBarBody>
                {t(headingOffset ? 'tour.poses.givenHeading' : 'tour.poses.noHeadings', {
                  columns: unreadAngles.join(', '),
                  heading: formats.coordinate(normalizePan(headingOffset)),
                })}
              </MessageBarBody>
            </MessageBar>
          )}
          {result.hasTilts ? (
            <p className={styles.note}>
              {t('tour.poses.tilts', { count: result.poses.filter(({ tilt }) => tilt).length })}
            </p>
          ) : null}
          {dateOrder ? (
            <Field
              className={styles.narrowField}
              label={t('tour.poses.dateOrder')}
              required
              {...(isOrderOpen
                ? {
                    validationState: isRefused ? ('error' as const) : ('warning' as const),
                    validationMessage: t('tour.poses.dateOrderOpen', { example: dateOrder.ambiguous ?? '' }),
                  }
                : {})}
            >
              <Select
                value={chosenOrder ?? dateOrder.proven ?? ''}
                onChange={(_, { value }) =>
                  setChosenOrder(value === 'DAY_FIRST' || value === 'MONTH_FIRST' ? value : undefined)
                }
              >
                {dateOrder.proven === undefined ? <option value="">{t('tour.poses.dateOrder.none')}</option> : null}
                <option value="DAY_FIRST">{t('tour.poses.dateOrder.DAY_FIRST')}</option>
                <option value="MONTH_FIRST">{t('tour.poses.dateOrder.MONTH_FIRST')}</option>
              </Select>
            </Field>
          ) : null}
          {isOrderOpen ? null : (
            <PosePreview
              location={tour.location}
              poses={plan.added}
              hasTilts={result.hasTilts}
              problems={problems}
              decks={content.decks}
              unchangedCount={plan.unchangedCount}
            />
          )}
          {moved.length === 0 ? null : (
            <Checkbox
              label={t('tour.poses.updateExisting', { count: moved.length })}
              checked={updatesExisting}
              onChange={(_, { checked }) => setUpdatesExisting(checked === true)}
            />
          )}
          {near.length === 0 || isOrderOpen ? null : (
            <NearPoses near={near} lengths={lengths} choice={nearChoice} missing={isRefused} onChange={setNearChoice} />
          )}
          {plan.updated.length === 0 || isOrderOpen ? null : (
            <PoseUpdates updates={plan.updated} decks={content.decks} lengths={lengths} />
          )}
          {farPoses === undefined || isOrderOpen ? null : (
            <>
              <MessageBar intent="warning" layout="multiline">
                <MessageBarBody>
                  {t(hasOwnFrame ? 'tour.poses.farInFrame' : 'tour.poses.far', {
                    count: farPoses.count,
                    distance: formatDistance(farPoses.maxMetres),
                  })}
                </MessageBarBody>
              </MessageBar>
              <Checkbox
                label={t('tour.poses.acceptFar', { count: farPoses.count })}
                checked={acceptsFar}
                onChange={(_, { checked }) => setAcceptsFar(checked === true)}
              />
            </>
          )}
          {isMatched ? null : (
            <MessageBar intent="info" layout="multiline">
              <MessageBarBody>{t('tour.poses.match')}</MessageBarBody>
            </MessageBar>
          )}
          {problems.length === 0 ? null : (
            <Checkbox
              label={t('tour.poses.leaveOut', { count: problems.length, rows: formats.number(problems.length, 0) })}
              checked={leavesOutInvalidRows}
              onChange={(_, { checked }) => setLeavesOutInvalidRows(checked === true)}
            />
          )}
        </>
      ) : null}
    </FormDialog>
  );
});
