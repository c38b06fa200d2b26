import { observer } from 'mobx-react-lite';
import { Checkbox, Input, makeStyles, Select } from '#core/ui';
import { useService, useText } from '#core/web';
import { ItemPanel } from '../../components/item-panel.tsx';
import { AnnotationStore } from '../stores/annotation-store.ts';
import { AnnotationRow } from './annotation-row.tsx';

const useStyles = makeStyles({
  filter: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px', padding: '0 8px 8px' },
  words: { flexGrow: 1, minWidth: '120px' },
});

const statuses = ['ALL', 'OPEN', 'DONE'] as const;

/** Lists the filtered annotations of the tour. */
export const AnnotationPanel = observer(function AnnotationPanel() {
  const t = useText();
  const annotationStore = useService(AnnotationStore);
  const { list, filteredItems } = annotationStore;
  return (
    <ItemPanel
      store={annotationStore}
      title={t('annotate.annotations')}
      closeLabel={t('annotate.closeAnnotations')}
      foot={<span>{t('annotate.shownOf', { shown: filteredItems.length, count: list.all.length })}</span>}
      filter={<AnnotationFilterFields />}
      rows={filteredItems.map((annotation) => (
        <AnnotationRow key={annotation.uid} annotation={annotation} />
      ))}
      texts={{
        failed: { title: t('annotate.annotationsFailed'), hint: t('annotate.annotationsFailedHint') },
        empty: { title: t('annotate.noAnnotations'), hint: t('annotate.noAnnotationsHint') },
        noMatch: { title: t('annotate.noneLeft'), hint: t('annotate.noneLeftHint') },
      }}
    />
  );
});

const AnnotationFilterFields = observer(function AnnotationFilterFields() {
  const styles = useStyles();
  const t = useText();
  const annotationStore = useService(AnnotationStore);
  const { filter } = annotationStore;
  return (
    <div className={styles.filter} role="search">
      <Input
        className={styles.words}
        type="search"
        aria-label={t('annotate.filterWords')}
        placeholder={t('annotate.filterWords')}
        value={filter.searchText}
        onChange={(_, { value }) => annotationStore.setFilter({ searchText: value })}
      />
      <Select
        aria-label={t('annotate.status')}
        value={filter.status}
        onChange={(_, { value }) =>
          annotationStore.setFilter({ status: statuses.find((status) => status === value) ?? 'ALL' })
        }
      >
        {statuses.map((status) => (
          <option key={status} value={status}>
            {t(`annotate.status.${status}`)}
          </option>
        ))}
      </Select>
      <Checkbox
        label={t('annotate.mine')}
        checked={filter.onlyOwn}
        onChange={(_, { checked }) => annotationStore.setFilter({ onlyOwn: checked === true })}
      />
    </div>
  );
});
