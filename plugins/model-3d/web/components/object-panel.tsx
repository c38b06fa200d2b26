import { useState } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, CloseOnEscape, makeStyles, mergeClasses, SearchBox, tokens, Tooltip, useCover } from '#core/ui';
import { Access, useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { ChildIcon, CloseIcon, ParentIcon } from './icons.tsx';
import { MappingForm } from './mapping-form.tsx';
import { ModelViewStore } from '../stores/model-view-store.ts';
import { ObjectList } from './object-list.tsx';
import { useCardStyles } from './use-card-styles.ts';

const useStyles = makeStyles({
  search: { margin: '0 12px 8px', maxWidth: 'none' },
  details: {
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    padding: '8px 16px 12px',
    maxHeight: '55%',
    overflowY: 'auto',
    display: 'grid',
    gap: '8px',
    flexShrink: 0,
  },
  name: {
    margin: 0,
    fontSize: tokens.fontSizeBase300,
    fontWeight: tokens.fontWeightSemibold,
    overflowWrap: 'anywhere',
    flexGrow: 1,
    minWidth: 0,
  },
  list: {
    display: 'grid',
    gridTemplateColumns: 'auto 1fr',
    columnGap: '12px',
    rowGap: '2px',
    margin: 0,
    fontSize: tokens.fontSizeBase200,
  },
  label: { color: tokens.colorNeutralForeground2 },
  value: { margin: 0, overflowWrap: 'anywhere' },
  summary: {
    cursor: 'pointer',
    padding: '4px 0',
    '@media (pointer: coarse)': { paddingBlock: '12px' },
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
  },
  head: { display: 'flex', alignItems: 'center', gap: '4px' },
  actions: { display: 'flex', flexWrap: 'wrap', gap: '4px' },
});

/** Panel with the searchable tree of objects and the properties of the selected object. */
export const ObjectPanel = observer(function ObjectPanel() {
  const cards = useCardStyles();
  const styles = useStyles();
  const t = useText();
  const modelView = useService(ModelViewStore);
  const [searchText, setSearchText] = useState('');
  return (
    <CloseOnEscape onClose={() => modelView.setTreeOpen(false)}>
      <section ref={useCover()} aria-label={t('model-3d.tree')} className={mergeClasses(cards.card, cards.panel)}>
        <div className={cards.head}>
          <h2 className={cards.title}>{t('model-3d.tree')}</h2>
          {modelView.hidden.size > 0 ? (
            <Button size="small" appearance="subtle" onClick={() => modelView.showAll()}>
              {t('model-3d.showAll')}
            </Button>
          ) : null}
          <Tooltip content={t('model-3d.hideTree')} relationship="label">
            <Button appearance="subtle" icon={<CloseIcon />} onClick={() => modelView.setTreeOpen(false)} />
          </Tooltip>
        </div>
        <SearchBox
          className={styles.search}
          value={searchText}
          onChange={(_, { value }) => setSearchText(value)}
          placeholder={t('model-3d.search')}
          aria-label={t('model-3d.search')}
        />
        <ObjectList searchText={searchText} />
        {modelView.selectedObject ? <SelectedObject /> : null}
      </section>
    </CloseOnEscape>
  );
});

const SelectedObject = observer(function SelectedObject() {
  const styles = useStyles();
  const t = useText();
  const modelView = useService(ModelViewStore);
  const store = useService(TourStore);
  const access = useService(Access);
  const { selectedObject } = modelView;
  if (!selectedObject) return null;
  const { id, name, tag, node, properties } = selectedObject;
  const ids = [id];
  const linkedNode = node === undefined ? undefined : store.nodes.find((candidate) => candidate.uid === node);
  return (
    <div className={styles.details}>
      <div className={styles.head}>
        <h3 className={styles.name}>{name}</h3>
        <Tooltip content={t('model-3d.toParent')} relationship="label">
          <Button
            appearance="subtle"
            icon={<ParentIcon />}
            disabledFocusable={modelView.tree.findParent(id) === undefined}
            onClick={() => modelView.selectParent()}
          />
        </Tooltip>
        <Tooltip content={t('model-3d.toChild')} relationship="label">
          <Button
            appearance="subtle"
            icon={<ChildIcon />}
            disabledFocusable={modelView.tree.listRowChildren(id).length === 0}
            onClick={() => modelView.selectChild()}
          />
        </Tooltip>
      </div>
      <div className={styles.actions}>
        <Button size="small" onClick={() => modelView.engine?.fit(modelView.tree.getSubtree(id))}>
          {t('model-3d.fit')}
        </Button>
        <Button size="small" onClick={() => modelView.isolate(ids)}>
          {t('model-3d.isolate')}
        </Button>
        <Button size="small" onClick={() => modelView.setSubtreeHidden(id, !modelView.hidden.has(id))}>
          {t(modelView.hidden.has(id) ? 'model-3d.show' : 'model-3d.hide')}
        </Button>
        {linkedNode ? (
          <Button size="small" onClick={() => store.goTo(linkedNode.uid)}>
            {t('model-3d.goToNode', { name: linkedNode.name })}
          </Button>
        ) : null}
      </div>
      <dl className={styles.list}>
        {[...(tag === undefined ? [] : [[t('model-3d.tag'), tag] as const]), ...properties].map(([label, value]) => (
          <div key={label} style={{ display: 'contents' }}>
            <dt className={styles.label}>{label}</dt>
            <dd className={styles.value}>{value}</dd>
          </div>
        ))}
      </dl>
      {access.has('configure') ? (
        <details>
          <summary className={styles.summary}>{t('model-3d.mapping')}</summary>
          <MappingForm key={id} object={selectedObject} />
        </details>
      ) : null}
    </div>
  );
});
