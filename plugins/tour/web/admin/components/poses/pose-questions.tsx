import { observer } from 'mobx-react-lite';
import { Checkbox, Field, MessageBar, MessageBarBody, Select } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import type { ContentDeck } from '../../../../contract/api/tour-content.ts';
import type { PoseFileStore } from '../../stores/poses-file/pose-file-store.ts';
import { useSiteLengths } from '../../stores/site-lengths.ts';
import { NearPoses } from './near-poses.tsx';
import { PosePreview } from './pose-preview.tsx';
import { PoseUpdates } from './pose-updates.tsx';

export interface PoseQuestionsProps {
  readonly store: PoseFileStore;
  readonly decks: readonly Pick<ContentDeck, 'uid' | 'name'>[];
  /** Uid of a location of the site. */
  readonly location: string;
}

/** Shows what a pose file adds and changes, and asks what the file leaves open. */
export const PoseQuestions = observer(function PoseQuestions({ store, decks, location }: PoseQuestionsProps) {
  const t = useText();
  const formats = useFormats();
  const lengths = useSiteLengths(location);
  const { isOrderOpen, isRefused, problems, plan, farPoses, updatesExisting, leavesOutInvalidRows, acceptsFar } = store;
  const { moved, near } = store.comparison;
  return (
    <>
      <DateOrderField store={store} />
      {isOrderOpen ? null : (
        <PosePreview
          location={location}
          poses={plan.added}
          hasTilts={store.result.hasTilts}
          problems={problems}
          decks={decks}
          unchangedCount={plan.unchangedCount}
        />
      )}
      {moved.length === 0 ? null : (
        <Checkbox
          label={t('tour.poses.updateExisting', { count: moved.length })}
          checked={updatesExisting.value}
          onChange={(_, { checked }) => updatesExisting.set(checked === true)}
        />
      )}
      {near.length === 0 || isOrderOpen ? null : (
        <NearPoses
          near={near}
          lengths={lengths}
          choice={store.nearChoice.value}
          missing={isRefused}
          onChange={(choice) => store.nearChoice.set(choice)}
        />
      )}
      {plan.updated.length === 0 || isOrderOpen ? null : (
        <PoseUpdates updates={plan.updated} decks={decks} lengths={lengths} />
      )}
      {farPoses === undefined || isOrderOpen ? null : (
        <>
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>
              {t(store.hasOwnFrame ? 'tour.poses.farInFrame' : 'tour.poses.far', {
                count: farPoses.count,
                distance: lengths.length(farPoses.maxMetres, { decimals: 0 }),
              })}
            </MessageBarBody>
          </MessageBar>
          <Checkbox
            label={t('tour.poses.acceptFar', { count: farPoses.count })}
            checked={acceptsFar.value}
            onChange={(_, { checked }) => acceptsFar.set(checked === true)}
          />
        </>
      )}
      {store.isMatched ? null : (
        <MessageBar intent="info" layout="multiline">
          <MessageBarBody>{t('tour.poses.match')}</MessageBarBody>
        </MessageBar>
      )}
      {problems.length === 0 ? null : (
        <Checkbox
          label={t('tour.poses.leaveOut', { count: problems.length, rows: formats.number(problems.length, 0) })}
          checked={leavesOutInvalidRows.value}
          onChange={(_, { checked }) => leavesOutInvalidRows.set(checked === true)}
        />
      )}
    </>
  );
});

/** Asks for the order of dates, if times depend on it. */
const DateOrderField = observer(function DateOrderField({ store }: Pick<PoseQuestionsProps, 'store'>) {
  const t = useText();
  const styles = useAdminStyles();
  const { chosenOrder } = store;
  const { dateOrder } = store.result;
  if (!dateOrder) return null;
  return (
    <Field
      className={styles.narrowField}
      label={t('tour.poses.dateOrder')}
      required
      {...(store.isOrderOpen
        ? {
            validationState: store.isRefused ? ('error' as const) : ('warning' as const),
            validationMessage: t('tour.poses.dateOrderOpen', { example: dateOrder.ambiguous ?? '' }),
          }
        : {})}
    >
      <Select
        value={chosenOrder.value ?? dateOrder.proven ?? ''}
        onChange={(_, { value }) =>
          chosenOrder.set(value === 'DAY_FIRST' || value === 'MONTH_FIRST' ? value : undefined)
        }
      >
        {dateOrder.proven === undefined ? <option value="">{t('tour.poses.dateOrder.none')}</option> : null}
        <option value="DAY_FIRST">{t('tour.poses.dateOrder.DAY_FIRST')}</option>
        <option value="MONTH_FIRST">{t('tour.poses.dateOrder.MONTH_FIRST')}</option>
      </Select>
    </Field>
  );
});
