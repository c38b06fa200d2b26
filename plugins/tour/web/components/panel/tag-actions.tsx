import { Suspense } from 'react';
import { observer } from 'mobx-react-lite';
import { basePath, routeUrl } from '#core';
import { Button, makeStyles } from '#core/ui';
import { ContributedComponent, useContributions, useService, useText } from '#core/web';
import { tagActions, tourModules, TourStore, tourView, type TagDetails } from '#plugins/tour';
import { CopyLinkButton } from '../copy-link-button.tsx';

const useStyles = makeStyles({
  actions: { display: 'flex', flexWrap: 'wrap', gap: '8px', margin: '0 8px 8px' },
  action: { minHeight: '44px' },
});

/** Buttons that show the tag in another module, use a tool on it, or copy its link. */
export const TagActions = observer(function TagActions({ tag }: { readonly tag: TagDetails }) {
  const styles = useStyles();
  const t = useText();
  const store = useService(TourStore);
  const otherModules = useContributions(tourModules).filter(
    ({ id, viewType }) => viewType !== undefined && id !== store.category,
  );
  const actions = useContributions(tagActions);
  const location = store.opened?.tour.location ?? '';
  const link = `${routeUrl(tourView, { location })}?tag=${encodeURIComponent(tag.number)}`;
  const isPlaced = tag.position !== null || tag.seenFrom.length > 0;
  return (
    <div role="group" aria-label={t('tour.tag.actions')} className={styles.actions}>
      {(isPlaced ? otherModules : []).map((module) => (
        <Button
          key={module.id}
          className={styles.action}
          icon={
            <Suspense>
              <ContributedComponent contribution={module} load={module.icon} props={{}} />
            </Suspense>
          }
          onClick={() => {
            store.chooseModule(module.id);
            void store.goToTag(tag.number);
          }}
        >
          {t('tour.tag.showInModule', { module: t(module.title) })}
        </Button>
      ))}
      {(isPlaced ? actions : []).map((action) => (
        <ContributedComponent key={action.id} contribution={action} load={action.load} props={{ tag }} />
      ))}
      <CopyLinkButton className={styles.action} link={`${window.location.origin}${basePath}${link}`} />
    </div>
  );
});
