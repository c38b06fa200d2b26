import { observer } from 'mobx-react-lite';
import { mergeClasses } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore, type TourNode } from '#plugins/tour';
import { VisitedIcon } from '../icons.tsx';
import { useRowStyles } from './use-row-styles.ts';

/** All nodes of the tour by deck, in walking order. */
export const NodeList = observer(function NodeList() {
  const styles = useRowStyles();
  const store = useService(TourStore);
  const decks = store.opened?.decks ?? [];
  const groups = [
    ...decks.map((deck) => ({ name: deck.name, nodes: store.nodes.filter((node) => node.deck === deck.uid) })),
    { name: undefined, nodes: store.nodes.filter((node) => !decks.some((deck) => deck.uid === node.deck)) },
  ];
  return groups
    .filter((group) => group.nodes.length > 0)
    .map((group) => (
      <section key={group.name ?? ''} aria-label={group.name}>
        {group.name === undefined ? null : <h3 className={styles.heading}>{group.name}</h3>}
        <ul className={styles.list}>
          {group.nodes.map((node) => (
            <li key={node.uid}>
              <NodeRow node={node} />
            </li>
          ))}
        </ul>
      </section>
    ));
});

const NodeRow = observer(function NodeRow({ node }: { readonly node: TourNode }) {
  const styles = useRowStyles();
  const t = useText();
  const store = useService(TourStore);
  const isCurrent = store.currentNode === node;
  const isVisited = store.visitedNodes.includes(node.uid) && !isCurrent;
  const status = isVisited ? t('tour.visited') : node.code;
  return (
    <button
      type="button"
      className={mergeClasses(styles.row, isCurrent && styles.current)}
      onClick={() => store.goTo(node.uid)}
      {...(isCurrent ? { 'aria-current': 'location' as const } : {})}
    >
      {node.thumbnail === null ? null : <img className={styles.picture} src={node.thumbnail} alt="" loading="lazy" />}
      <span className={styles.text}>
        <span>{node.name}</span>
        <span className={styles.small}>{isCurrent ? t('tour.here') : status}</span>
      </span>
      {isVisited ? <VisitedIcon /> : null}
    </button>
  );
});
