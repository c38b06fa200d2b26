import { Field, makeStyles, MessageBar, MessageBarBody, Radio, RadioGroup, tokens } from '#core/ui';
import { useText } from '#core/web';
import type { NearPose } from '../../stores/poses-file/find-near-poses.ts';
import { nearChoices, type NearChoice } from '../../stores/poses-file/plan-poses.ts';
import type { SiteLengthFormats } from '../../stores/site-lengths.ts';

const useStyles = makeStyles({
  list: { margin: 0, paddingInlineStart: tokens.spacingHorizontalL, overflowWrap: 'anywhere' },
});

const maxShownPoses = 10;

export interface NearPosesProps {
  readonly near: readonly NearPose[];
  readonly lengths: SiteLengthFormats;
  readonly choice: NearChoice | undefined;
  /** True if the person tried to save without a choice. */
  readonly missing: boolean;
  readonly onChange: (choice: NearChoice) => void;
}

/** Lists the poses at the place of another viewpoint, and asks what happens with them. */
export function NearPoses({ near, lengths, choice, missing, onChange }: NearPosesProps) {
  const t = useText();
  const styles = useStyles();
  const shownChoices = nearChoices.filter(
    (offeredChoice) => offeredChoice !== 'UPDATE' || near.some(({ node }) => node),
  );
  return (
    <>
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>
          {t('tour.poses.near', { count: near.length })}
          <ul className={styles.list}>
            {near.slice(0, maxShownPoses).map(({ pose: { line, code }, code: other, node, metres }) => (
              <li key={line}>
                {t(node ? 'tour.poses.nearExisting' : 'tour.poses.nearOther', {
                  line,
                  code,
                  other,
                  distance: lengths.length(metres, { decimals: 2, fixed: true }),
                })}
              </li>
            ))}
          </ul>
          {near.length > maxShownPoses ? t('tour.poses.nearMore', { count: near.length - maxShownPoses }) : null}
        </MessageBarBody>
      </MessageBar>
      <Field
        label={t('tour.poses.nearChoice')}
        required
        {...(missing && choice === undefined
          ? { validationState: 'error' as const, validationMessage: t('tour.poses.nearMissing') }
          : {})}
      >
        <RadioGroup
          value={choice ?? ''}
          onChange={(_, { value }) => onChange(nearChoices.find((offeredChoice) => offeredChoice === value) ?? 'SKIP')}
        >
          {shownChoices.map((offeredChoice) => (
            <Radio key={offeredChoice} value={offeredChoice} label={t(`tour.poses.near.${offeredChoice}`)} />
          ))}
        </RadioGroup>
      </Field>
    </>
  );
}
