import { useState } from 'react';
import { observer } from 'mobx-react-lite';
import { Badge, Button, makeStyles, mergeClasses, Tooltip } from '#core/ui';
import { I18n, Sites, useFormats, useService, useText } from '#core/web';
import { formatDatum } from '../../measure/components/format-result.ts';
import { MeasureStore } from '../../measure/stores/measure-store.ts';
import { CommentIcon } from '../../components/icons.tsx';
import { ItemActions, useItemStyles } from '../../components/item-row.tsx';
import { useOpenEdit } from '../../stores/use-synced-list.ts';
import { NotEditableNote } from '../../components/not-editable-note.tsx';
import { SyncBadge, SyncActions } from '../../components/sync-note.tsx';
import { formatAnnotation } from './format-annotation.ts';
import { AnnotationStore } from '../stores/annotation-store.ts';
import type { ListedAnnotation } from '../stores/annotation-list.ts';
import { AnnotationIcon } from './icons.tsx';
import { AnnotationForm } from './annotation-form.tsx';
import { Comments } from './comments.tsx';

const useStyles = makeStyles({ text: { margin: '2px 0', overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' } });

/** The list row of an annotation with its actions. The selected row also shows the comments. */
export const AnnotationRow = observer(function AnnotationRow({
  annotation,
}: {
  readonly annotation: ListedAnnotation;
}) {
  const styles = { ...useItemStyles(), ...useStyles() };
  const t = useText();
  const formats = useFormats(annotation.location);
  const annotationStore = useService(AnnotationStore);
  const { unit } = useService(MeasureStore);
  const { language } = useService(I18n);
  const [editing, setEditing] = useState(false);
  const { list, selected } = annotationStore;
  const { uid, name, kind, text, status, sync, own, editable, author, createdAt, comments } = annotation;
  useOpenEdit(list, uid, editing);
  const formattedValue = formatAnnotation(annotation, { language, unit });
  const site = useService(Sites).recordAt(annotation.location);
  const datum = kind === 'CORDINATES' ? formatDatum(site, { language, unit }, t) : '';
  const isSelected = uid === selected;
  return (
    <li
      className={mergeClasses(styles.row, isSelected && styles.chosen)}
      aria-current={isSelected ? 'true' : undefined}
    >
      <div className={styles.line}>
        <AnnotationIcon kind={kind} />
        <Tooltip content={t('annotate.goTo')} relationship="description">
          <Button appearance="transparent" className={styles.name} onClick={() => annotationStore.goTo(annotation)}>
            {name}
          </Button>
        </Tooltip>
        <Badge appearance="tint" color={status === 'DONE' ? 'success' : 'warning'}>
          {t(`annotate.status.${status}`)}
        </Badge>
        <SyncBadge state={sync.state} />
      </div>
      {editing ? (
        <AnnotationForm annotation={annotation} onEnd={() => setEditing(false)} />
      ) : (
        <>
          {formattedValue || text ? (
            <p className={styles.text}>{[formattedValue, datum, text].filter((line) => line !== '').join('\n')}</p>
          ) : null}
          <p className={styles.details}>
            {t(own ? 'annotate.madeByYou' : 'annotate.madeBy', { author, at: formats.instant(createdAt) })}
          </p>
        </>
      )}
      <NotEditableNote item={annotation} canComment />
      <SyncActions list={list} uid={uid} sync={sync} />
      <div className={styles.actions}>
        {editable ? (
          <Button size="small" onClick={() => void list.change(uid, { status: status === 'OPEN' ? 'DONE' : 'OPEN' })}>
            {t(status === 'OPEN' ? 'annotate.markDone' : 'annotate.reopen')}
          </Button>
        ) : null}
        {isSelected ? null : (
          <Button size="small" appearance="subtle" icon={<CommentIcon />} onClick={() => annotationStore.select(uid)}>
            {t('annotate.comments', { count: comments.length })}
          </Button>
        )}
      </div>
      <div className={styles.actions}>
        <ItemActions
          item={annotation}
          list={list}
          edit={editing ? undefined : { label: t('annotate.edit'), start: () => setEditing(true) }}
          formatUrl={(item) => annotationStore.formatUrl(item)}
          onDelete={() => void list.remove(uid)}
        />
      </div>
      {isSelected ? <Comments annotation={annotation} /> : null}
    </li>
  );
});
