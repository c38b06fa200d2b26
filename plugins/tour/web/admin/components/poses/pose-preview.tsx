import { MessageBar, MessageBarBody } from '#core/ui';
import { useFormats, useText } from '#core/web';
import type { ContentDeck } from '../../../../contract/api/tour-content.ts';
import { useSiteLengths } from '../../stores/site-lengths.ts';
import type { PoseProblem, ReadPose } from '../../stores/poses-file/read-poses.ts';
import { listAngles, poseHeads, tiltHeads } from './pose-heads.ts';
import { usePoseStyles } from './use-pose-styles.ts';

const maxRows = 5;
const maxProblems = 10;

export interface PosePreviewProps {
  /** Uid of a location of the site. */
  readonly location: string;
  readonly poses: readonly (ReadPose & { readonly deck: string | null })[];
  /** True if the file has pitch and roll. */
  readonly hasTilts: boolean;
  readonly problems: readonly PoseProblem[];
  readonly decks: readonly Pick<ContentDeck, 'uid' | 'name'>[];
  /** Number of rows whose viewpoints already exist and stay as they are. */
  readonly unchangedCount: number;
}

/** Shows the viewpoints that a pose file adds, their number per deck, and the rows with problems. */
export function PosePreview({ location, poses, hasTilts, problems, decks, unchangedCount }: PosePreviewProps) {
  const styles = usePoseStyles();
  const t = useText();
  const formats = useFormats();
  const lengths = useSiteLengths(location);
  const findDeckName = (uid: string | null): string =>
    decks.find((deck) => deck.uid === uid)?.name ?? t('tour.content.noDeck');
  const counts = new Map<string | null, number>();
  for (const { deck } of poses) counts.set(deck, (counts.get(deck) ?? 0) + 1);
  const headTexts = [...poseHeads, ...(hasTilts ? tiltHeads : [])].map((head) =>
    t(`tour.poses.head.${head}`, { unit: lengths.symbol }),
  );
  return (
    <>
      <div role="status">
        {poses.length === 0 ? null : (
          <p>
            {t('tour.poses.summary', { count: poses.length })}{' '}
            {[...counts].map(([deck, count]) => t('tour.poses.onDeck', { deck: findDeckName(deck), count })).join(' ')}
          </p>
        )}
        {unchangedCount === 0 ? null : <p>{t('tour.poses.known', { count: unchangedCount })}</p>}
      </div>
      {poses.length === 0 ? null : (
        <table className={styles.table} aria-label={t('tour.poses.preview')}>
          <thead className={styles.head}>
            <tr>
              {headTexts.map((text) => (
                <th key={text} className={styles.cell} scope="col">
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {poses.slice(0, maxRows).map(({ line, code, deck, position, heading, tilt }) => (
              <tr key={line} className={styles.row}>
                {[
                  code,
                  findDeckName(deck),
                  ...position.map(lengths.coordinate),
                  ...[heading, ...(hasTilts ? listAngles(tilt) : [])].map(formats.coordinate),
                ].map((value, index) => (
                  <td key={index} className={styles.cell} data-label={headTexts[index]}>
                    {value}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {problems.length === 0 ? null : (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {t('tour.poses.problems', { count: problems.length })}
            <ul className={styles.list}>
              {problems.slice(0, maxProblems).map(({ line, reason, field, value }) => (
                <li key={line}>
                  {t(`tour.poses.problem.${reason}`, { line, value, field: t(`tour.poses.field.${field}`) })}
                </li>
              ))}
            </ul>
          </MessageBarBody>
        </MessageBar>
      )}
    </>
  );
}
