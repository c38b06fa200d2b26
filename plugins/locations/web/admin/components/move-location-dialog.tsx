import { useId, useState } from 'react';
import type { LocationNode, LocationRow } from '#core';
import { Field, MessageBar, MessageBarBody, SearchBox, Select, useForm } from '#core/ui';
import { FormDialog, readConflict, useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import { canBeParent, findNextSibling } from '../../../common/location-placement.ts';
import type { LocationMutations } from '../stores/location-mutations.ts';
import { useCanChangeLocation } from '../stores/use-can-change-location.ts';
import { observer } from 'mobx-react-lite';
import { LocationTree } from './location-tree.tsx';

export interface MoveLocationDialogProps {
  readonly location: LocationNode;
  readonly find: (uid: string) => LocationNode | undefined;
  readonly roots: readonly LocationNode[];
  /** False if locations are sorted by name, so that they have no position. */
  readonly hasOrder: boolean;
  readonly mutations: LocationMutations;
  readonly onClose: () => void;
}

/** Moves a location below another parent of its site, or to another position. */
export const MoveLocationDialog = observer(function MoveLocationDialog({
  location,
  find,
  roots,
  hasOrder,
  mutations,
  onClose,
}: MoveLocationDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  const parentLabel = useId();
  const canChange = useCanChangeLocation();
  const [query, setQuery] = useState('');
  const [version, setVersion] = useState(location.version ?? 0);
  const [hasConflict, setConflict] = useState(false);
  const site = location.parent === null ? undefined : find(location.root);
  const listSiblings = (parent: string): readonly LocationNode[] =>
    parent === '' ? roots : (find(parent)?.children ?? []);
  const [initial] = useState(() => ({
    parent: location.parent ?? '',
    before: findNextSibling(listSiblings(location.parent ?? ''), location.uid) ?? '',
  }));
  const form = useForm({
    initial,
    rules: { parent: [], before: [] },
    send: async ({ parent, before }) => {
      const isUnchanged = parent === initial.parent && before === initial.before;
      if (isUnchanged && !hasConflict) return onClose();
      try {
        await mutations.move(
          { ...location, version },
          { parent: parent === '' ? null : parent, before: before === '' ? null : before },
        );
      } catch (cause) {
        const current = readConflict<LocationRow>(cause);
        if (!current) throw cause;
        setVersion(current.version ?? 0);
        setConflict(true);
        return;
      }
      onClose();
    },
  });
  const parentField = form.state('parent');
  const beforeField = form.state('before');
  const siblings = listSiblings(parentField.value).filter(({ uid }) => uid !== location.uid);
  const chooseParent = (uid: string): void => {
    parentField.onChange(uid);
    beforeField.onChange(uid === initial.parent ? initial.before : '');
  };
  return (
    <FormDialog
      title={t('locations.sites.moveTitle', { name: location.name })}
      action={t('locations.sites.moveAction')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <div role="alert">
        {hasConflict ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>{t('locations.sites.moveConflict')}</MessageBarBody>
          </MessageBar>
        ) : null}
      </div>
      {site ? (
        <section aria-labelledby={parentLabel} className={styles.fieldset}>
          <div id={parentLabel}>{t('locations.sites.newParent')}</div>
          <SearchBox
            value={query}
            placeholder={t('locations.sites.search')}
            aria-label={t('locations.sites.search')}
            onChange={(_, { value }) => setQuery(value)}
            // Enter in the search box must not submit the form.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            style={{ maxWidth: 'none' }}
          />
          <LocationTree
            label={t('locations.sites.newParent')}
            roots={[site]}
            query={query}
            selected={parentField.value}
            onSelect={chooseParent}
            maxHeight="min(360px, 40dvh)"
            isDisabled={(node) => !canBeParent(location, node) || !canChange(node.uid)}
          />
        </section>
      ) : null}
      {hasOrder ? (
        <Field label={t('locations.sites.position')} {...form.field('before')}>
          <Select {...form.input('before')}>
            {siblings.map(({ uid, name }) => (
              <option key={uid} value={uid}>
                {t('locations.sites.before', { name })}
              </option>
            ))}
            <option value="">{t('locations.sites.last')}</option>
          </Select>
        </Field>
      ) : null}
    </FormDialog>
  );
});
