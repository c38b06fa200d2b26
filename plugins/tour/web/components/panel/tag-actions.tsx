import { Suspense } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, makeStyles } from '#core/ui';
import { ContributedComponent, useContributions, useService, useText } from '#core/web';
import { tourModules, TourStore, type TagDetails } from '#plugins/tour';

const useStyles = makeStyles({
  actions: { display: 'flex', flexWrap: 'wrap', gap: '8px', margin: '0 8px 8px' },
  action: { minHeight: '44px' },
});

/** Buttons that show the tag in another module. */
export const TagActions = observer(function TagActions({ tag }: { readonly tag: TagDetails }) {
  const styles = useStyles();
  const t = useText();
  const store = useService(TourStore);
  const others = useContributions(tourModules).filter(
    ({ id, viewType }) => viewType !== undefined && id !== store.category,
  );
  if (others.length === 0 || (tag.position === null && tag.seenFrom.length === 0)) return null;
  return (
    <div role="group" aria-label={t('tour.tag.showIn')} className={styles.actions}>
      {others.map((module) => (
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
    </div>
  );
});
