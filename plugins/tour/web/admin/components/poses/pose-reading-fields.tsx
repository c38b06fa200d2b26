import { observer } from 'mobx-react-lite';
import { lengthUnitSymbols, normalizePan, siteUnits } from '#core';
import { Checkbox, Field, Input, MessageBar, MessageBarBody, Select, type Form } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import type { PoseFileStore } from '../../stores/poses-file/pose-file-store.ts';
import { useSiteLengths } from '../../stores/site-lengths.ts';
import { PoseColumnFields } from './pose-column-fields.tsx';

export interface HeadingValues {
  readonly heading: number | undefined;
}

export interface PoseReadingFieldsProps {
  readonly store: PoseFileStore;
  readonly form: Form<HeadingValues>;
  /** Uid of a location of the site. */
  readonly location: string;
}

/** Chooses how a pose file is read, and tells what is not read. */
export const PoseReadingFields = observer(function PoseReadingFields({
  store,
  form,
  location,
}: PoseReadingFieldsProps) {
  const t = useText();
  const styles = useAdminStyles();
  const formats = useFormats();
  const lengths = useSiteLengths(location);
  const { crsProposal, unusedColumns, unreadAngles, headingOffset } = store;
  const headersWithUnit = store.headerUnits.map(({ header, unit }) =>
    unit === 'ft' || unit === 'ftUS' ? t(`tour.poses.headerFoot.${unit}`, { header }) : header,
  );
  return (
    <>
      <PoseColumnFields table={store.table} columns={store.columns} onChange={(columns) => store.set({ columns })} />
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
            value={store.unit}
            onChange={(_, { value }) => store.set({ unit: siteUnits.find((option) => option === value) ?? 'm' })}
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
      {store.hasOwnFrame ? (
        <Checkbox
          label={t('tour.poses.inCrs')}
          checked={store.isInCrs}
          onChange={(_, { checked }) => store.set({ chosenInCrs: checked === true })}
        />
      ) : null}
      {crsProposal ? (
        <MessageBar intent="info" layout="multiline">
          <MessageBarBody>
            {t('tour.poses.crsProposed', {
              count: crsProposal.count,
              distance: lengths.length(crsProposal.maxMetres, { decimals: 0 }),
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
      {store.result.hasTilts && store.result.poses.length > 0 ? (
        <p className={styles.note}>{t('tour.poses.tilts', { count: store.tiltedCount })}</p>
      ) : null}
    </>
  );
});
