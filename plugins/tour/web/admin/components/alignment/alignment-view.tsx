import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useState } from 'react';
import {
  Button,
  EmptyState,
  FailedState,
  LoadingState,
  MessageBar,
  MessageBarBody,
  PageTitle,
  ResourceView,
} from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { HttpClient, UnsavedWork, useFormatFailure, useResource, useService, useText, useUnsavedWork } from '#core/web';
import { TourStore, type PanoramaPicture } from '#plugins/tour';
import type { getAlignment, SavedTie } from '../../../../contract/api/alignment.ts';
import type { ContentNode, TourContent } from '../../../../contract/api/tour-content.ts';
import { AlignmentEditor } from '../../stores/alignment/alignment-editor.ts';
import type { ContentMutations } from '../../stores/content-mutations.ts';
import type { SiteLengthFormats } from '../../stores/site-lengths.ts';
import { AlignmentResult } from './alignment-result.tsx';
import { OtherViewpoints, type Correction } from './other-viewpoints.tsx';
import { PicturePane } from './picture-pane.tsx';
import { SitePane } from './site-pane.tsx';
import { TieList } from './tie-list.tsx';
import { useAlignmentStyles } from './use-alignment-styles.ts';

export interface AlignmentViewProps {
  readonly node: ContentNode;
  readonly content: TourContent;
  /** Location of the viewpoint or an ancestor where the person may change the viewpoint. */
  readonly location: string;
  readonly mutations: ContentMutations;
  /** In the unit of the site. A prop, because this view is its own chunk and shares no file with the other screens. */
  readonly lengths: SiteLengthFormats;
  readonly onClose: () => void;
}

/** Aligns the picture of a viewpoint with the model or the point cloud by points that are marked in both. */
const AlignmentView = observer(function AlignmentView({ node, location, ...props }: AlignmentViewProps) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const store = useService(TourStore);
  const unsavedWork = useService(UnsavedWork);
  const { uid, code, name } = node;
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    void store.open(location, { node: code });
    return () => store.reset();
    // `code` is omitted: a changed code applies when the view is opened again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [store, location, uid, attempt]);
  const alignment = useResource(
    (signal) =>
      http.call<typeof getAlignment>(
        'GET',
        '/api/tour-content/:location/nodes/:node/alignment',
        { params: { location, node: uid } },
        { signal },
      ),
    [http, location, uid],
  );
  const close = async (): Promise<void> => {
    if (await unsavedWork.confirmLeave()) props.onClose();
  };
  const tourNode = store.nodes.find((candidate) => candidate.uid === uid);
  const tiles = tourNode?.picture;
  return (
    <div className={styles.form}>
      <div className={styles.head}>
        <div className={styles.grow}>
          <PageTitle title={t('tour.align.title', { code, name })} hint={t('tour.align.hint')} />
        </div>
        <Button onClick={() => void close()}>{t('tour.align.back')}</Button>
      </div>
      {store.loading.tour === 'failure' ? (
        <FailedState
          title={t('tour.align.tourFailed')}
          message={t('tour.align.again')}
          onRetry={() => setAttempt(attempt + 1)}
        />
      ) : store.loading.tour !== 'success' ? (
        <LoadingState label={t('tour.loading')} />
      ) : tiles && tourNode ? (
        <ResourceView resource={alignment}>
          {({ ties }) => (
            <Workbench
              {...props}
              key={uid}
              node={node}
              location={location}
              tiles={tiles}
              heading={tourNode.heading}
              ties={ties}
            />
          )}
        </ResourceView>
      ) : (
        <EmptyState title={t('tour.align.noPicture')} message={t('tour.align.noPictureHint')} />
      )}
    </div>
  );
});
export default AlignmentView;

interface WorkbenchProps extends AlignmentViewProps {
  readonly tiles: PanoramaPicture['tiles'];
  /** Heading of the picture when the tour was opened. */
  readonly heading: number;
  readonly ties: readonly SavedTie[];
}

const Workbench = observer(function Workbench({
  node,
  content,
  location,
  mutations,
  lengths,
  onClose,
  tiles,
  heading,
  ties,
}: WorkbenchProps) {
  const t = useText();
  const styles = useAdminStyles();
  const alignmentStyles = useAlignmentStyles();
  const formatFailure = useFormatFailure();
  const [editor] = useState(() => {
    const newEditor = new AlignmentEditor(node, mutations);
    newEditor.restore(ties);
    return newEditor;
  });
  const [chosenUids, setChosenUids] = useState<ReadonlySet<string>>(new Set());
  const [correction, setCorrection] = useState<Correction>('HEADING');
  useEffect(() => editor.setNode(node), [editor, node]);
  useUnsavedWork(editor.changed, 'tour.content');
  const [position] = useState(node.position);
  const picture = useMemo((): PanoramaPicture => ({ tiles, heading, position }), [tiles, heading, position]);
  const { fit, saving, theirs, failure, turnedHeading } = editor;
  const canSave = fit !== undefined || (turnedHeading !== undefined && editor.ties.length === 0);
  const save = async (): Promise<void> => {
    if (!canSave) return;
    const otherNodes = content.nodes.filter(({ uid }) => chosenUids.has(uid));
    const appliedCorrection = editor.mode === 'pose' ? correction : 'HEADING';
    if (await editor.save(location, { others: otherNodes, correction: appliedCorrection })) onClose();
  };
  return (
    <>
      <div className={alignmentStyles.panes}>
        <PicturePane editor={editor} picture={picture} />
        <SitePane editor={editor} lengths={lengths} location={location} />
      </div>
      <div className={alignmentStyles.panes}>
        <TieList editor={editor} lengths={lengths} />
        <AlignmentResult editor={editor} />
      </div>
      {fit ? (
        <OtherViewpoints
          content={content}
          editor={editor}
          chosenUids={chosenUids}
          onChoose={setChosenUids}
          correction={editor.mode === 'pose' ? correction : 'HEADING'}
          onCorrection={setCorrection}
        />
      ) : null}
      <div role="alert">
        {theirs || failure !== undefined ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>
              {theirs ? t('tour.align.conflict', { name: theirs.name }) : formatFailure(failure)}
            </MessageBarBody>
          </MessageBar>
        ) : null}
      </div>
      <div className={styles.actions}>
        <Button appearance="primary" disabledFocusable={!canSave || saving} onClick={() => void save()}>
          {t('tour.align.save', { count: chosenUids.size + 1 })}
        </Button>
      </div>
    </>
  );
});
