import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { LocationNode } from '#core';
import {
  Button,
  EmptyState,
  FailedState,
  ListSkeleton,
  makeStyles,
  mergeClasses,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  PageTitle,
  SearchBox,
  tokens,
  useRestoreFocusTarget,
} from '#core/ui';
import {
  Access,
  HttpClient,
  Locations,
  Navigation,
  UnsavedWork,
  useFormatFailure,
  usePluginSettings,
  useService,
  useText,
} from '#core/web';
import { canBeParent, findNextSibling, type Placement } from '../../../common/location-placement.ts';
import type manifest from '../../../plugin.ts';
import { AddLocationDialog } from '../components/add-location-dialog.tsx';
import { ChevronIcon } from '../components/chevron-icon.tsx';
import { DeleteLocationDialog } from '../components/delete-location-dialog.tsx';
import { EditLocationDialog } from '../components/edit-location-dialog.tsx';
import { LastChangeLine } from '../components/last-change.tsx';
import { LocationDetails } from '../components/location-details.tsx';
import { LocationTree, type TreeDrag } from '../components/location-tree.tsx';
import { MoveLocationDialog } from '../components/move-location-dialog.tsx';
import { LocationChangesStore } from '../stores/location-changes-store.ts';
import { PictureChanges } from '../stores/picture-changes.ts';
import { readConflict } from '../stores/read-conflict.ts';
import { useCanChange } from '../stores/use-can-change.ts';

const stacked = '(max-width: 899px)';

const useStyles = makeStyles({
  columns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    gap: tokens.spacingHorizontalXL,
    alignItems: 'start',
    [`@media ${stacked}`]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  column: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalM },
  search: { maxWidth: 'none' },
  hiddenIfStacked: { [`@media ${stacked}`]: { display: 'none' } },
  onlyStacked: { display: 'none', [`@media ${stacked}`]: { display: 'inline-flex' } },
  back: { justifySelf: 'start' },
  bar: { marginBottom: tokens.spacingVerticalM },
  hint: { margin: 0, padding: tokens.spacingHorizontalL, color: tokens.colorNeutralForeground2 },
});

/** Its message disappears with the next change. */
interface FailedMove {
  readonly cause: unknown;
  /** The last change at that time. */
  readonly last: LocationChangesStore['last'];
}

type DialogKind = 'add' | 'edit' | 'move' | 'delete';

/**
 * Shows the tree of all sites, units, levels and groups, and changes them. The address holds the selected location and
 * the search text; `?add=site` opens the dialog for a new site.
 */
const SitesScreen = observer(function SitesScreen() {
  const styles = useStyles();
  const t = useText();
  const formatFailure = useFormatFailure();
  const locations = useService(Locations);
  const http = useService(HttpClient);
  const navigation = useService(Navigation);
  const unsavedWork = useService(UnsavedWork);
  const canAccessAll = useService(Access).info.locations === 'ALL';
  const canChange = useCanChange();
  const hasOrder = !usePluginSettings<typeof manifest>().alphabetical;
  const [changes] = useState(() => new LocationChangesStore(http, locations));
  const [pictures] = useState(() => new PictureChanges(http, changes));
  const [address, setAddress] = useSearchParams();
  const [dialog, setDialog] = useState<DialogKind>();
  const [failedMove, setFailedMove] = useState<FailedMove>();
  const heading = useRef<HTMLHeadingElement>(null);
  const focusPending = useRef(false);
  const opener = useRestoreFocusTarget();
  // The heading of a new screen receives the focus, which a dialog must not lose: it opens afterwards.
  const [isMounted, setMounted] = useState(false);
  useEffect(() => {
    setMounted(true);
    void locations.load();
  }, [locations]);

  const query = address.get('search') ?? '';
  const selected = locations.find(address.get('location') ?? '');
  // A dialog about a location that is gone must not open again for the next one.
  if (!selected && dialog !== undefined) setDialog(undefined);
  const isGone = !selected && address.has('location') && locations.roots.length > 0;
  const find = (uid: string): LocationNode | undefined => locations.find(uid);
  const listSiblings = ({ parent }: Pick<LocationNode, 'parent'>): readonly LocationNode[] =>
    (parent === null ? undefined : find(parent)?.children) ?? locations.roots;
  // Whoever cannot change the parent could not undo the move either.
  const canMove = (node: LocationNode): boolean =>
    node.parent === null ? canAccessAll && hasOrder : canChange(node.parent);

  const setParams = (params: Readonly<Record<string, string | undefined>>, replace = true): void => {
    // A dialog that closes changes the address twice before the next render.
    const next = new URLSearchParams(navigation.address.split('?')[1]);
    for (const [name, value] of Object.entries(params)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    setAddress(next, { replace });
  };
  // The first selection is an entry of the history, so that the browser's back button closes the details of a phone.
  const select = async (uid: string | undefined, movesFocus = matchMedia(stacked).matches): Promise<void> => {
    if (uid === selected?.uid || !(await unsavedWork.confirmLeave())) return;
    focusPending.current = movesFocus && uid !== undefined;
    setParams({ location: uid }, selected !== undefined);
  };
  // The button that opened the dialog is gone with the location that was selected before.
  const selectAfterDialog = async (uid: string | undefined): Promise<void> => {
    setParams({ search: undefined });
    await select(uid, true);
  };
  const isAddingSite = isMounted && canAccessAll && address.get('add') === 'site';
  const isDialogOpen = isAddingSite || dialog !== undefined;
  useEffect(() => {
    if (!focusPending.current || isDialogOpen) return;
    focusPending.current = false;
    heading.current?.focus();
  }, [selected, isDialogOpen]);

  const move = async (location: LocationNode, placement: Placement): Promise<void> => {
    setFailedMove(undefined);
    try {
      await changes.move(location, placement);
    } catch (cause) {
      setFailedMove({ cause, last: changes.last });
    }
  };
  const drag: TreeDrag = {
    canDrag: canMove,
    findPlacement: (dragged, target, zone) => {
      if (zone === 'into')
        return canBeParent(dragged, target) && canChange(target.uid) && dragged.parent !== target.uid
          ? { parent: target.uid, before: null }
          : undefined;
      if (!hasOrder || dragged.uid === target.uid) return undefined;
      const parent = target.parent === null ? undefined : find(target.parent);
      const isAllowed = parent
        ? canChange(parent.uid) && (dragged.parent === parent.uid || canBeParent(dragged, parent))
        : dragged.parent === null;
      if (!isAllowed) return undefined;
      const before = zone === 'before' ? target.uid : findNextSibling(listSiblings(target), target.uid);
      const isUnchanged =
        dragged.parent === target.parent &&
        (before === dragged.uid || before === findNextSibling(listSiblings(dragged), dragged.uid));
      return isUnchanged ? undefined : { parent: target.parent, before };
    },
    onDrop: (dragged, placement) => void move(dragged, placement),
  };

  const addSite = canAccessAll ? (
    <Button {...opener} appearance="primary" onClick={() => setParams({ add: 'site' })}>
      {t(locations.roots.length === 0 ? 'locations.sites.addFirst' : 'locations.sites.addSite')}
    </Button>
  ) : undefined;

  const renderContent = (): React.ReactNode => {
    if (locations.state === 'loading') return <ListSkeleton />;
    if (locations.state === 'failed')
      return <FailedState error={locations.failure} onRetry={() => void locations.load()} />;
    if (locations.roots.length === 0)
      return (
        <EmptyState
          title={t('locations.sites.none')}
          message={t(canAccessAll ? 'locations.sites.noneHint' : 'locations.home.emptyHint')}
          action={addSite}
        />
      );
    return (
      <div className={styles.columns}>
        <div className={mergeClasses(styles.column, selected && styles.hiddenIfStacked)}>
          <SearchBox
            className={styles.search}
            value={query}
            placeholder={t('locations.sites.search')}
            aria-label={t('locations.sites.search')}
            onChange={(_, { value }) => setParams({ search: value })}
          />
          <LocationTree
            label={t('locations.sites.title')}
            roots={locations.roots}
            query={query}
            selected={selected?.uid}
            onSelect={(uid) => void select(uid)}
            maxHeight="max(320px, calc(100dvh - 320px))"
            drag={drag}
          />
        </div>
        <div className={mergeClasses(styles.column, !selected && styles.hiddenIfStacked)}>
          {selected ? (
            <>
              <Button
                className={mergeClasses(styles.onlyStacked, styles.back)}
                icon={<ChevronIcon direction="left" />}
                onClick={() => void select(undefined)}
              >
                {t('locations.sites.back')}
              </Button>
              <LocationDetails
                key={selected.uid}
                location={selected}
                siblings={listSiblings(selected)}
                headingRef={heading}
                canChange={canChange(selected.uid)}
                canMove={canMove(selected)}
                hasOrder={hasOrder}
                changes={changes}
                pictures={pictures}
                onAdd={() => setDialog('add')}
                onEdit={() => setDialog('edit')}
                onMove={() => setDialog('move')}
                onStep={(before) => void move(selected, { parent: selected.parent, before })}
                onDelete={() => setDialog('delete')}
              />
            </>
          ) : (
            <p className={styles.hint}>{t('locations.sites.choose')}</p>
          )}
        </div>
      </div>
    );
  };

  const close = (): void => setDialog(undefined);
  const renderDialog = (): React.ReactNode => {
    if (locations.state === 'loading' || locations.state === 'failed') return null;
    const common = { roots: locations.roots, changes };
    if (isAddingSite)
      return (
        <AddLocationDialog
          {...common}
          parent={undefined}
          onCreated={(uid) => void selectAfterDialog(uid)}
          onClose={() => setParams({ add: undefined })}
        />
      );
    if (!selected || dialog === undefined) return null;
    const parent = selected.parent === null ? undefined : find(selected.parent);
    switch (dialog) {
      case 'add':
        return (
          <AddLocationDialog
            {...common}
            parent={selected}
            onCreated={(uid) => void selectAfterDialog(uid)}
            onClose={close}
          />
        );
      case 'edit':
        return <EditLocationDialog location={selected} parent={parent} changes={changes} onClose={close} />;
      case 'move':
        return <MoveLocationDialog {...common} location={selected} find={find} hasOrder={hasOrder} onClose={close} />;
      case 'delete':
        return (
          <DeleteLocationDialog
            location={selected}
            changes={changes}
            onDeleted={() => void selectAfterDialog(selected.parent ?? undefined)}
            onClose={close}
          />
        );
    }
  };

  return (
    <>
      <PageTitle
        title={t('locations.sites.title')}
        hint={t('locations.sites.hint')}
        {...(locations.roots.length === 0 ? {} : { actions: addSite })}
      />
      <LastChangeLine changes={changes} />
      <div role="alert">
        {failedMove === undefined || failedMove.last !== changes.last ? null : (
          <MessageBar className={styles.bar} intent="error" layout="multiline">
            <MessageBarBody>
              {readConflict(failedMove.cause) ? t('locations.sites.moveConflict') : formatFailure(failedMove.cause)}
            </MessageBarBody>
          </MessageBar>
        )}
      </div>
      {locations.state === 'stale' && locations.failure !== undefined ? (
        <MessageBar className={styles.bar} intent="warning" layout="multiline">
          <MessageBarBody>{t('locations.sites.notReloaded')}</MessageBarBody>
          <MessageBarActions>
            <Button onClick={() => void locations.reload()}>{t('core.tryAgain')}</Button>
          </MessageBarActions>
        </MessageBar>
      ) : null}
      {isGone ? (
        <MessageBar className={styles.bar} intent="warning" layout="multiline">
          <MessageBarBody>{t('locations.sites.gone')}</MessageBarBody>
        </MessageBar>
      ) : null}
      {renderContent()}
      {renderDialog()}
    </>
  );
});
export default SitesScreen;
