import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import { Button, Field, makeStyles, MessageBar, MessageBarBody, Select, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useFormatFailure, useText } from '#core/web';
import type { ContentLink, ContentNode, TourContent } from '../../../../contract/api/tour-content.ts';
import { linkKinds } from '../../../../contract/values/content-values.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';

const useStyles = makeStyles({
  list: { display: 'grid', gap: tokens.spacingVerticalXS, margin: 0, padding: 0, listStyleType: 'none' },
  link: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
  text: { flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere' },
  form: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: tokens.spacingHorizontalS },
});

export interface LinkListProps {
  readonly content: TourContent;
  readonly editor: ViewpointEditor;
  readonly node: ContentNode;
  /** The second selected viewpoint, to be linked to `node`. If undefined, the person chooses a viewpoint of the tour. */
  readonly otherNode: ContentNode | undefined;
}

/** Lists the links of a viewpoint, including links to other decks, with a form for a new link. */
export const LinkList = observer(function LinkList({ content, editor, node, otherNode }: LinkListProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const formatFailure = useFormatFailure();
  const [chosenUid, setChosenUid] = useState('');
  const [kind, setKind] = useState<ContentLink['kind']>('WALK');
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const nodeByUid = useMemo(
    () => new Map(content.nodes.map((contentNode) => [contentNode.uid, contentNode])),
    [content],
  );
  const links = content.links.filter(
    ({ a, b }) => (a === node.uid || b === node.uid) && (!otherNode || a === otherNode.uid || b === otherNode.uid),
  );
  const target = otherNode ?? nodeByUid.get(chosenUid);
  const formatNode = (uid: string): string => {
    const linkedNode = nodeByUid.get(uid);
    return linkedNode
      ? t('tour.content.codeAndName', { code: linkedNode.code, name: linkedNode.name })
      : t('tour.content.links.hidden');
  };
  const save = async (body: Parameters<typeof editor.mutations.saveLinks>[1]): Promise<void> => {
    const { tour } = editor;
    if (!tour) return;
    setState({ busy: true });
    try {
      await editor.mutations.saveLinks(tour, body);
      setState({ busy: false });
      setChosenUid('');
    } catch (failure) {
      setState({ busy: false, failure });
    }
  };
  const add = (): void => {
    if (!target) return;
    const [a = '', b = ''] = [node.uid, target.uid].toSorted();
    void save({ saved: [{ a, b, kind }], removed: [] });
  };
  return (
    <div className={adminStyles.form}>
      {links.length === 0 ? (
        <p className={adminStyles.note}>{t(otherNode ? 'tour.content.links.notLinked' : 'tour.content.links.none')}</p>
      ) : (
        <ul className={styles.list} aria-label={t('tour.content.links.title', { name: node.name })}>
          {links.map((link) => {
            const otherEnd = link.a === node.uid ? link.b : link.a;
            return (
              <li key={otherEnd} className={styles.link}>
                <span className={styles.text}>
                  {t('tour.content.links.entry', {
                    end: formatNode(otherEnd),
                    kind: t(`tour.content.links.${link.kind}`),
                  })}
                </span>
                <Button
                  disabledFocusable={state.busy}
                  aria-label={t('tour.content.links.removeOne', { end: formatNode(otherEnd) })}
                  onClick={() => void save({ saved: [], removed: [{ a: link.a, b: link.b }] })}
                >
                  {t('tour.content.links.remove')}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      <div className={styles.form}>
        {otherNode ? null : (
          <Field label={t('tour.content.links.to')}>
            <Select value={chosenUid} onChange={(_, { value }) => setChosenUid(value)}>
              <option value="">{t('tour.content.links.choose')}</option>
              <TargetOptions content={content} node={node} />
            </Select>
          </Field>
        )}
        <Field label={t('tour.content.links.kind')}>
          <Select
            value={kind}
            onChange={(_, { value }) => setKind(linkKinds.find((option) => option === value) ?? 'WALK')}
          >
            {linkKinds.map((option) => (
              <option key={option} value={option}>
                {t(`tour.content.links.${option}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Button disabledFocusable={state.busy || !target} onClick={add}>
          {t('tour.content.links.link')}
        </Button>
      </div>
      <div role="alert">
        {state.failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(state.failure)}</MessageBarBody>
          </MessageBar>
        )}
      </div>
    </div>
  );
});

interface TargetOptionsProps {
  readonly content: TourContent;
  readonly node: ContentNode;
}

/** Options for the other viewpoints of the tour, grouped by deck. */
function TargetOptions({ content: { decks, nodes }, node }: TargetOptionsProps) {
  const t = useText();
  const groups = useMemo(() => {
    const deckNameByUid = new Map(decks.map(({ uid, name }) => [uid, name]));
    const byDeck = new Map<string | undefined, ContentNode[]>();
    for (const target of nodes) {
      if (target.tour !== node.tour || target.uid === node.uid) continue;
      const name = target.deck === null ? undefined : deckNameByUid.get(target.deck);
      const group = byDeck.get(name);
      if (group) group.push(target);
      else byDeck.set(name, [target]);
    }
    return [...byDeck];
  }, [decks, nodes, node.tour, node.uid]);
  return groups.map(([name, deckNodes]) => (
    <optgroup key={name ?? ''} label={name ?? t('tour.content.noDeck')}>
      {deckNodes.map(({ uid, code, name: nodeName }) => (
        <option key={uid} value={uid}>
          {t('tour.content.codeAndName', { code, name: nodeName })}
        </option>
      ))}
    </optgroup>
  ));
}
