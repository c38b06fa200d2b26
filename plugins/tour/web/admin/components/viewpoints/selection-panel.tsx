import { observer } from 'mobx-react-lite';
import { Button, makeStyles, tokens, useRestoreFocusTarget } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { TourContent } from '../../../../contract/api/tour-content.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';
import { LinkList } from '../links/link-list.tsx';

const useStyles = makeStyles({
  title: { margin: 0, fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold },
});

export interface SelectionPanelProps {
  readonly content: TourContent;
  readonly editor: ViewpointEditor;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly onAlign: (uid: string) => void;
}

/** Actions for the selected viewpoints. */
export const SelectionPanel = observer(function SelectionPanel({
  content,
  editor,
  onEdit,
  onDelete,
  onAlign,
}: SelectionPanelProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const opener = useRestoreFocusTarget();
  const { selection } = editor;
  const [node, other, ...more] = selection;
  if (!node) return <p className={adminStyles.note}>{t('tour.content.selectHint')}</p>;
  const isPair = other !== undefined && more.length === 0;
  return (
    <section className={adminStyles.form} aria-labelledby="content-selection">
      <div className={adminStyles.head}>
        <div className={adminStyles.grow}>
          <h3 id="content-selection" className={styles.title}>
            {other === undefined || isPair
              ? selection.map(({ code, name }) => t('tour.content.codeAndName', { code, name })).join(', ')
              : t('tour.content.selected', { count: selection.length })}
          </h3>
        </div>
        <div className={adminStyles.actions}>
          <Button {...opener} aria-describedby="content-selection" onClick={onEdit}>
            {t(other === undefined ? 'tour.content.edit' : 'tour.content.viewpoints.edit')}
          </Button>
          {other === undefined ? (
            <Button
              aria-describedby="content-selection"
              disabledFocusable={!node.hasPanorama}
              onClick={() => node.hasPanorama && onAlign(node.uid)}
            >
              {t('tour.align.open')}
            </Button>
          ) : null}
          <Button {...opener} aria-describedby="content-selection" onClick={onDelete}>
            {t('tour.content.delete')}
          </Button>
        </div>
      </div>
      {other === undefined || isPair ? (
        <LinkList key={`${node.uid} ${other?.uid}`} content={content} editor={editor} node={node} otherNode={other} />
      ) : null}
    </section>
  );
});
