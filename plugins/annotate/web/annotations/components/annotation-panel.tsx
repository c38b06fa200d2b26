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

const states = ['ALL', 'OPEN', 'DONE'] as const;

/** List of the filtered annotations of the tour. */
export const AnnotationPanel = observer(function AnnotationPanel() {
  const t = useText();
  const annotationStore = useService(AnnotationStore);
  const { list, shown } = annotationStore;
  return (
    <ItemPanel
      store={annotationStore}
      title={t('annotate.annotations')}
      closeLabel={t('annotate.closeAnnotations')}
      foot={<span>{t('annotate.shownOf', { shown: shown.length, count: list.all.length })}</span>}
      filter={<AnnotationFilterFields />}
      rows={shown.map((annotation) => (
        <AnnotationRow key={annotation.uid} annotation={annotation} />
      ))}
      texts={{
        failed: { title: t('annotate.annotationsFailed'), hint: t('annotate.annotationsFailedHint') },
        empty: { title: t('annotate.noAnnotations'), hint: t('annotate.noAnnotationsHint') },
        none: { title: t('annotate.noneLeft'), hint: t('annotate.noneLeftHint') },
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
  );
});
