import { observer } from 'mobx-react-lite';
import { Checkbox, EmptyState, FailedState, Input, ListSkeleton, makeStyles, Select } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { ToolPanel } from '../../surface/tool-panel.tsx';
import { AnnotationStore } from '../stores/annotation-store.ts';
import { AnnotationRow } from './annotation-row.tsx';

const useStyles = makeStyles({
  filter: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px', padding: '0 8px 8px' },
  words: { flexGrow: 1, minWidth: '120px' },
  list: { margin: 0, padding: 0, listStyleType: 'none' },
});

const states = ['ALL', 'OPEN', 'DONE'] as const;

/** The annotations of the tour that the filter leaves. */
export const AnnotationPanel = observer(function AnnotationPanel() {
  const styles = useStyles();
  const t = useText();
  const annotationStore = useService(AnnotationStore);
  const store = useService(TourStore);
  const { list, filter, shown } = annotationStore;
  const { state, all, deleted } = list;
  const location = store.opened?.tour.location;
  return (
    <ToolPanel
      title={t('annotate.annotations')}
      closeLabel={t('annotate.closeAnnotations')}
      onClose={() => annotationStore.setPanelShown(false)}
      progress={list.progress}
      deleted={deleted}
      onRestore={() => void list.restore()}
      foot={<span>{t('annotate.shownOf', { shown: shown.length, count: all.length })}</span>}
    >
      <div className={styles.filter} role="search">
        <Input
          className={styles.words}
          type="search"
          aria-label={t('annotate.filterWords')}
          placeholder={t('annotate.filterWords')}
          value={filter.words}
          onChange={(_, { value }) => annotationStore.setFilter({ words: value })}
        />
        <Select
          aria-label={t('annotate.status')}
          value={filter.status}
          onChange={(_, { value }) =>
            annotationStore.setFilter({ status: states.find((each) => each === value) ?? 'ALL' })
          }
        >
          {states.map((each) => (
            <option key={each} value={each}>
              {t(`annotate.status.${each}`)}
            </option>
          ))}
        </Select>
        <Checkbox
          label={t('annotate.mine')}
          checked={filter.mine}
          onChange={(_, { checked }) => annotationStore.setFilter({ mine: checked === true })}
        />
      </div>
      {state === 'failed' ? (
        <FailedState
          title={t('annotate.annotationsFailed')}
          message={t('annotate.annotationsFailedHint')}
          onRetry={() => void (location !== undefined && list.load(location))}
        />
      ) : null}
      {shown.length > 0 ? (
        <ul className={styles.list}>
          {shown.map((annotation) => (
            <AnnotationRow key={annotation.uid} annotation={annotation} />
          ))}
        </ul>
      ) : all.length > 0 ? (
        <EmptyState title={t('annotate.noneLeft')} message={t('annotate.noneLeftHint')} />
      ) : state === 'loaded' ? (
        <EmptyState title={t('annotate.noAnnotations')} message={t('annotate.noAnnotationsHint')} />
      ) : state === 'failed' ? null : (
        <ListSkeleton />
      )}
    </ToolPanel>
  );
});
