import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useState } from 'react';
import { Button, Checkbox, Field, makeStyles, Radio, RadioGroup, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import type { ContentNode, TourContent } from '../../../../contract/api/tour-content.ts';
import { maxAlignedTogether } from '../../../../contract/values/alignment-values.ts';
import type { AlignmentEditor } from '../../stores/alignment/alignment-editor.ts';

const useStyles = makeStyles({
  nodes: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))',
    maxHeight: '240px',
    overflowY: 'auto',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
  },
});

export type Correction = 'HEADING' | 'POSE';

export interface OtherViewpointsProps {
  readonly content: TourContent;
  readonly editor: AlignmentEditor;
  readonly chosenUids: ReadonlySet<string>;
  readonly onChoose: (uids: ReadonlySet<string>) => void;
  readonly correction: Correction;
  readonly onCorrection: (correction: Correction) => void;
}

/** Lists the other loaded viewpoints of a tour that were captured on the same day. */
export function useNodesOfSameDay({ nodes }: TourContent, node: ContentNode): readonly ContentNode[] {
  const store = useService(TourStore);
  const day = store.nodes.find(({ uid }) => uid === node.uid)?.day;
  return useMemo(() => {
    const sameDayUids = new Set(store.nodes.flatMap((candidate) => (candidate.day === day ? [candidate.uid] : [])));
    return nodes
      .filter(({ uid, tour }) => tour === node.tour && uid !== node.uid && sameDayUids.has(uid))
      .slice(0, maxAlignedTogether);
  }, [nodes, node, day, store.nodes]);
}

/** Selects other viewpoints of the capture for the same correction, because a constant offset is the usual error. */
export const OtherViewpoints = observer(function OtherViewpoints({
  content,
  editor,
  chosenUids,
  onChoose,
  correction,
  onCorrection,
}: OtherViewpointsProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const store = useService(TourStore);
  const [isOpen, setOpen] = useState(false);
  const otherNodes = useNodesOfSameDay(content, editor.node);
  useEffect(() => {
    // A large tour is opened with only the nearest viewpoints.
    if (isOpen) store.loadAllNodes().catch(() => undefined);
  }, [isOpen, store]);
  const alignedUids = new Set(content.alignments.map(({ node }) => node));
  const choose = (uid: string, isChosen: boolean): void => {
    const nextChosen = new Set(chosenUids);
    if (isChosen) nextChosen.add(uid);
    else nextChosen.delete(uid);
    onChoose(nextChosen);
  };
  return (
    <details className={adminStyles.form} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={adminStyles.summary}>{t('tour.align.others', { count: chosenUids.size })}</summary>
      <p className={adminStyles.note}>{t('tour.align.othersHint')}</p>
      {otherNodes.length === 0 ? (
        <p className={adminStyles.note}>{t('tour.align.noOthers')}</p>
      ) : (
        <>
          <Field label={t('tour.align.correctOthers')}>
            <RadioGroup value={correction} onChange={(_, { value }) => onCorrection(value as Correction)}>
              <Radio value="HEADING" label={t('tour.align.mode.heading')} />
              <Radio value="POSE" label={t('tour.align.mode.pose')} disabled={editor.mode !== 'pose'} />
            </RadioGroup>
          </Field>
          <div className={adminStyles.actions}>
            <Button
              size="small"
              onClick={() => onChoose(new Set(otherNodes.flatMap(({ uid }) => (alignedUids.has(uid) ? [] : [uid]))))}
            >
              {t('tour.align.chooseUnaligned')}
            </Button>
            <Button size="small" disabledFocusable={chosenUids.size === 0} onClick={() => onChoose(new Set())}>
              {t('tour.align.chooseNone')}
            </Button>
          </div>
          <div role="group" aria-label={t('tour.align.othersList')} className={styles.nodes}>
            {otherNodes.map(({ uid, code, name }) => (
              <Checkbox
                key={uid}
                label={t(alignedUids.has(uid) ? 'tour.align.alignedOther' : 'tour.content.codeAndName', { code, name })}
                checked={chosenUids.has(uid)}
                onChange={(_, { checked }) => choose(uid, checked === true)}
              />
            ))}
          </div>
        </>
      )}
    </details>
  );
});
