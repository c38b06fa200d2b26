import { observer } from 'mobx-react-lite';
import type { LocationNode } from '#core';
import { Locations, useService } from '#core/web';
import type { LocationMutations } from '../stores/location-mutations.ts';
import { AddLocationDialog } from './add-location-dialog.tsx';
import { DeleteLocationDialog } from './delete-location-dialog.tsx';
import { EditLocationDialog } from './edit-location-dialog.tsx';
import { MoveLocationDialog } from './move-location-dialog.tsx';

export type LocationDialogKind = 'addSite' | 'add' | 'edit' | 'move' | 'delete';

export interface LocationDialogsProps {
  readonly kind: LocationDialogKind | undefined;
  readonly selected: LocationNode | undefined;
  /** False if locations are sorted by name. */
  readonly hasOrder: boolean;
  readonly mutations: LocationMutations;
  /** Selects a new location, or the parent of a deleted one. */
  readonly onSelect: (uid: string | undefined) => void;
  readonly onClose: () => void;
}

/** The open dialog of the screen, if any. All but `addSite` concern the selected location. */
export const LocationDialogs = observer(function LocationDialogs({
  kind,
  selected,
  hasOrder,
  mutations,
  onSelect,
  onClose,
}: LocationDialogsProps) {
  const locations = useService(Locations);
  if (locations.state === 'loading' || locations.state === 'failed') return null;
  const find = (uid: string): LocationNode | undefined => locations.find(uid);
  const common = { roots: locations.roots, mutations, onClose };
  if (kind === 'addSite') return <AddLocationDialog {...common} parent={undefined} onCreated={onSelect} />;
  if (!selected) return null;
  const parent = selected.parent === null ? undefined : find(selected.parent);
  switch (kind) {
    case 'add':
      return <AddLocationDialog {...common} parent={selected} onCreated={onSelect} />;
    case 'edit':
      return <EditLocationDialog location={selected} parent={parent} mutations={mutations} onClose={onClose} />;
    case 'move':
      return <MoveLocationDialog {...common} location={selected} find={find} hasOrder={hasOrder} />;
    case 'delete':
      return (
        <DeleteLocationDialog
          location={selected}
          mutations={mutations}
          onDeleted={() => onSelect(selected.parent ?? undefined)}
          onClose={onClose}
        />
      );
    case undefined:
      return null;
  }
});
