import { useFormats, useText } from '#core/web';
import type { ContentDeck } from '../../../../contract/api/tour-content.ts';
import type { PoseUpdate } from '../../stores/poses-file/plan-poses.ts';
import type { SiteLengthFormats } from '../../stores/site-lengths.ts';
import { listAngles, poseHeads, tiltHeads } from './pose-heads.ts';
import { usePoseStyles } from './use-pose-styles.ts';

const maxRows = 10;

export interface PoseUpdatesProps {
  readonly updates: readonly PoseUpdate[];
  readonly decks: readonly Pick<ContentDeck, 'uid' | 'name'>[];
  readonly lengths: SiteLengthFormats;
}

/** Shows the existing viewpoints that take a pose, with former and new values. Those that change the deck are first. */
export function PoseUpdates({ updates, decks, lengths }: PoseUpdatesProps) {
  const styles = usePoseStyles();
  const t = useText();
  const formats = useFormats();
  const findDeckName = (uid: string | null): string =>
    decks.find((deck) => deck.uid === uid)?.name ?? t('tour.content.noDeck');
  const changesDeck = ({ node, change }: PoseUpdate): boolean => node.deck !== change.deck;
  const deckCount = updates.filter(changesDeck).length;
  const sortedUpdates = updates.toSorted((a, b) => Number(changesDeck(b)) - Number(changesDeck(a)));
  const hasTilts = updates.some(
    ({ node, change }) => change.posedTilt ?? (change.posedTilt === null && node.posedTilt),
  );
  const tiltedPictureCount = updates.filter(({ node, change }) => change.posedTilt && node.hasPanorama).length;
  const headTexts = [...poseHeads, ...(hasTilts ? tiltHeads : [])].map((head) =>
    t(`tour.poses.head.${head}`, { unit: lengths.symbol }),
  );
  const listValues = ({
    deck,
    position,
    heading,
    posedTilt,
  }: PoseUpdate['node'] | PoseUpdate['change']): readonly string[] => [
    findDeckName(deck),
    ...position.map(lengths.coordinate),
    ...[heading, ...(hasTilts ? listAngles(posedTilt) : [])].map(formats.coordinate),
  ];
  return (
    <>
      <div role="status">
        <p>
          {t('tour.poses.updates', { count: updates.length })}
          {deckCount === 0 ? null : ` ${t('tour.poses.updatesDeck', { count: deckCount })}`}
        </p>
        {tiltedPictureCount === 0 ? null : <p>{t('tour.poses.tiltedPictures', { count: tiltedPictureCount })}</p>}
      </div>
      <table className={styles.table} aria-label={t('tour.poses.updatesPreview')}>
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
          {sortedUpdates.slice(0, maxRows).map(({ node, change }) => {
            const formerValues = listValues(node);
            return (
              <tr key={node.uid} className={styles.row}>
                <td className={styles.cell} data-label={headTexts[0]}>
                  {node.code}
                </td>
                {listValues(change).map((value, index) => (
                  <td key={index} className={styles.cell} data-label={headTexts[index + 1]}>
                    {value === formerValues[index]
                      ? value
                      : t('tour.align.beforeAfter', { before: formerValues[index] ?? '', after: value })}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {updates.length > maxRows ? <p>{t('tour.poses.nearMore', { count: updates.length - maxRows })}</p> : null}
    </>
  );
}
