import { observer } from 'mobx-react-lite';
import { useState, type ReactNode } from 'react';
import { Button, useRestoreFocusTarget } from '#core/ui';
import { DescriptionList, useAdminStyles } from '#core/ui-data';
import { RouteLink, useFormats, useText } from '#core/web';
import type { MasterTypeDetails } from '../../contract/api/master-data.ts';
import { masterDataAdmin } from '../../contract/routes.ts';
import type { MasterMutations } from '../stores/master-mutations.ts';
import { StatusBadge } from './status-badge.tsx';
import { TypeStatusDialog } from './type-status-dialog.tsx';

export interface TypeCardProps {
  readonly type: MasterTypeDetails;
  readonly mutations: MasterMutations;
  /** Additional links. */
  readonly children?: ReactNode;
}

/** A master type with its status and the numbers of its masters. */
export const TypeCard = observer(function TypeCard({ type, mutations, children }: TypeCardProps) {
  const styles = useAdminStyles();
  const t = useText();
  const { number } = useFormats();
  const opener = useRestoreFocusTarget();
  const [isAsking, setIsAsking] = useState(false);
  const { code, active, masters, activeMasters, formerlyActive } = type;
  const name = t(`masters.type.${code}`);
  return (
    <article className={styles.card} aria-label={name}>
      <div className={styles.head}>
        <h2 className={styles.name}>{name}</h2>
        <StatusBadge active={active} />
      </div>
      <DescriptionList
        items={[
          [t('masters.types.code'), code],
          [t('masters.types.masters'), number(masters)],
          [t('masters.types.activeMasters'), number(activeMasters)],
          ...(active ? [] : [[t('masters.types.formerlyActive'), number(formerlyActive)] as const]),
        ]}
      />
      <div className={styles.head}>
        <Button
          {...opener}
          aria-label={t(active ? 'masters.deactivateOne' : 'masters.activateOne', { name })}
          onClick={() => setIsAsking(true)}
        >
          {t(active ? 'masters.deactivate' : 'masters.activate')}
        </Button>
        <RouteLink to={masterDataAdmin} search={`type=${code}`} aria-label={t('masters.types.showOf', { name })}>
          {t('masters.types.show')}
        </RouteLink>
        {children}
      </div>
      {isAsking ? <TypeStatusDialog type={type} mutations={mutations} onClose={() => setIsAsking(false)} /> : null}
    </article>
  );
});
