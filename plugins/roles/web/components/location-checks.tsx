import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import type { LocationNode } from '#core';
import { Button, FailedState, ListSkeleton, makeStyles, SearchBox, Switch, tokens } from '#core/ui';
import { Tree, TreeItem, TreeItemLayout } from '#core/ui-data';
import { Locations, useService, useText } from '#core/web';
import { computeChecks, toggleLocation, type CheckState } from '../../common/location-checks.ts';
import { findInTree } from '../stores/find-in-tree.ts';

const useStyles = makeStyles({
  root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalS },
  bar: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
  search: { flexGrow: 1, flexBasis: '200px', minWidth: 0 },
  tree: {
    maxHeight: '360px',
    overflowY: 'auto',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    padding: tokens.spacingVerticalXS,
  },
  row: { '@media (pointer: coarse)': { minHeight: '44px' } },
  note: { margin: 0, color: tokens.colorNeutralForeground3 },
});

export interface LocationChecksProps {
  readonly allLocations: boolean;
  /** Uids of chosen locations. A chosen location includes its descendants. */
  readonly chosen: ReadonlySet<string>;
  readonly disabled: boolean;
  readonly onAllChange: (allLocations: boolean) => void;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

const checkedValues = { checked: true, mixed: 'mixed', unchecked: false } as const satisfies Record<
  CheckState,
  unknown
>;

/** Selects all locations, or parts of their tree by checkboxes with three states. */
export const LocationChecks = observer(function LocationChecks({
  allLocations,
  chosen,
  disabled,
  onAllChange,
  onChange,
}: LocationChecksProps) {
  const styles = useStyles();
  const t = useText();
  const locations = useService(Locations);
  const { roots } = locations;
  const [text, setText] = useState('');
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        [...chosen].flatMap((uid) =>
          locations
            .pathTo(uid)
            .slice(0, -1)
            .map((node) => node.uid),
        ),
      ),
  );
  const checks = useMemo(() => computeChecks(roots, chosen), [roots, chosen]);
  const search = useMemo(() => findInTree(roots, text), [roots, text]);
  const renderNodes = (nodes: readonly LocationNode[]): React.ReactNode =>
    nodes
      .filter(({ uid }) => !search || search.visible.has(uid))
      .map((node) => {
        const isBranch = node.children.some(({ uid }) => !search || search.visible.has(uid));
        return (
          <TreeItem key={node.uid} itemType={isBranch ? 'branch' : 'leaf'} value={node.uid}>
            <TreeItemLayout className={styles.row}>
              {node.name}
              {node.label === '' || node.label === node.name ? '' : ` · ${node.label}`}
            </TreeItemLayout>
            {isBranch ? <Tree>{isOpen(node.uid) ? renderNodes(node.children) : null}</Tree> : null}
          </TreeItem>
        );
      });
  const openItems = search ? search.expanded : expanded;
  const isOpen = (uid: string): boolean => openItems.has(uid);
  const renderTree = (): React.ReactNode => {
    if (locations.state === 'loading') return <ListSkeleton />;
    if (locations.state === 'failed')
      return <FailedState error={locations.failure} onRetry={() => void locations.load()} />;
    if (roots.length === 0) return <p className={styles.note}>{t('roles.noLocations')}</p>;
    return (
      <>
        <div className={styles.bar}>
          <SearchBox
            className={styles.search}
            value={text}
            placeholder={t('roles.searchLocations')}
            aria-label={t('roles.searchLocations')}
            onChange={(_, { value }) => setText(value)}
          />
          <Button disabled={disabled} onClick={() => onChange(new Set(roots.map(({ uid }) => uid)))}>
            {t('roles.selectAll')}
          </Button>
          <Button disabled={disabled} onClick={() => onChange(new Set())}>
            {t('roles.selectNone')}
          </Button>
        </div>
        <div className={styles.tree}>
          {search?.visible.size === 0 ? (
            <p className={styles.note}>{t('roles.noMatch', { text })}</p>
          ) : (
            <Tree
              aria-label={t('roles.locations')}
              selectionMode="multiselect"
              openItems={openItems}
              onOpenChange={(_, { value, open }) => {
                if (search) return;
                const uid = String(value);
                setExpanded(
                  open
                    ? new Set([...expanded, uid])
                    : new Set([...expanded].filter((expandedUid) => expandedUid !== uid)),
                );
              }}
              checkedItems={[...checks].map(([uid, state]) => [uid, checkedValues[state]] as const)}
              onCheckedChange={(_, { value }) => {
                if (!disabled) onChange(toggleLocation(roots, chosen, String(value)));
              }}
            >
              {renderNodes(roots)}
            </Tree>
          )}
        </div>
        {search?.isTruncated ? <p className={styles.note}>{t('roles.moreMatches')}</p> : null}
      </>
    );
  };
  return (
    <div className={styles.root}>
      <Switch
        label={t('roles.allLocations')}
        checked={allLocations}
        disabled={disabled}
        onChange={(_, { checked }) => onAllChange(checked)}
      />
      {allLocations ? <p className={styles.note}>{t('roles.allLocationsHint')}</p> : renderTree()}
    </div>
  );
});
