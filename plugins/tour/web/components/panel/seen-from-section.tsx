import { observer } from 'mobx-react-lite';
import { mergeClasses } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import { TourStore, type TagSectionProps } from '#plugins/tour';
import { NodeIcon } from '../icons.tsx';
import { RowPicture } from './row-picture.tsx';
import { useRowStyles } from './use-row-styles.ts';

/** The nodes that see the tag, nearest first. Each is a button that goes to the node and turns to the tag. */
export const SeenFromSection = observer(function SeenFromSection({ tag }: TagSectionProps) {
  const styles = useRowStyles();
  const t = useText();
  const store = useService(TourStore);
  const { language } = useService(I18n);
  const metres = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const views = tag.seenFrom.flatMap((view) => {
    const node = store.nodes.find((candidate) => candidate.uid === view.node);
    return node ? [{ ...view, name: node.name, thumbnail: node.thumbnail }] : [];
  });
  // A large tour is opened with only the nearest nodes.
  const isLoading = views.length < tag.seenFrom.length && store.opened?.complete === false;
  const loadingNote =
    isLoading || tag.viewsPending ? (
      <p role="status" className={styles.heading}>
        {t(isLoading ? 'tour.tag.viewsLoading' : 'tour.tag.viewsPending')}
      </p>
    ) : null;
  if (views.length === 0) return loadingNote ?? <p className={styles.heading}>{t('tour.tag.notSeen')}</p>;
  return (
    <>
      <ul className={styles.list}>
        {views.map(({ node, name, thumbnail, pan, tilt, distance }) => (
          <li key={node}>
            <button
              type="button"
              className={mergeClasses(styles.row, node === store.currentNode?.uid && styles.current)}
              onClick={() => store.goTo(node, { pan, tilt })}
            >
              {thumbnail === null ? <NodeIcon /> : <RowPicture url={thumbnail} />}
              <span className={styles.text}>
                <span>{name}</span>
                <span className={styles.small}>{t('tour.tag.distance', { metres: metres.format(distance) })}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {loadingNote}
    </>
  );
});
