import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { LocationNode } from '#core';
import { Button, useRestoreFocusTarget } from '#core/ui';
import { ConfirmDialog, DescriptionList, useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { ContentNode, ContentTour, TourContent } from '../../../../contract/api/tour-content.ts';
import type { ContentMutations } from '../../stores/content-mutations.ts';
import { listLocations } from '../../stores/list-locations.ts';
import { DeletedMessage } from '../deleted-message.tsx';
import { TourDialog } from './tour-dialog.tsx';

export interface ToursCardProps {
  readonly content: TourContent;
  readonly location: LocationNode;
  readonly mutations: ContentMutations;
}

/** Lists the tours of a location and its descendants. */
export const ToursCard = observer(function ToursCard({ content, location, mutations }: ToursCardProps) {
  const t = useText();
  const styles = useAdminStyles();
  const opener = useRestoreFocusTarget();
  const [dialog, setDialog] = useState<{ readonly kind: 'edit' | 'delete'; readonly tour: string } | 'add'>();
  const close = (): void => setDialog(undefined);
  const locations = listLocations(location);
  const locationUids = new Set(locations.map(({ uid }) => uid));
  // The content also contains tours of ancestors that viewpoints of this location belong to.
  const tours = content.tours.filter((tour) => locationUids.has(tour.location));
  const locationsWithTour = new Set(tours.map((tour) => tour.location));
  const locationsWithoutTour = locations.filter(({ uid }) => !locationsWithTour.has(uid));
  const chosenTour = dialog === 'add' ? undefined : tours.find(({ uid }) => uid === dialog?.tour);
  return (
    <section className={styles.card} aria-labelledby="content-tours">
      <div className={styles.head}>
        <div className={styles.grow}>
          <h2 id="content-tours" className={styles.name}>
            {t('tour.content.tours')}
          </h2>
        </div>
        <Button {...opener} disabledFocusable={locationsWithoutTour.length === 0} onClick={() => setDialog('add')}>
          {t('tour.content.tour.add')}
        </Button>
      </div>
      {tours.length === 0 ? (
        <p className={styles.note}>{t('tour.content.tour.none')}</p>
      ) : (
        <ul className={styles.list} aria-labelledby="content-tours">
          {tours.map((tour) => (
            <TourItem
              key={tour.uid}
              tour={tour}
              nodes={content.nodes.filter((node) => node.tour === tour.uid)}
              onOpen={(kind) => setDialog({ kind, tour: tour.uid })}
            />
          ))}
        </ul>
      )}
      {dialog === 'add' || (dialog?.kind === 'edit' && chosenTour) ? (
        <TourDialog
          tour={chosenTour}
          nodes={content.nodes.filter((node) => node.tour === chosenTour?.uid)}
          locations={locationsWithoutTour}
          codes={content.tours.map(({ code }) => code)}
          mutations={mutations}
          onClose={close}
        />
      ) : dialog?.kind === 'edit' ? (
        <DeletedMessage onClose={close} />
      ) : dialog?.kind === 'delete' && chosenTour ? (
        <ConfirmDialog
          title={t('tour.content.tour.deleteTitle', { name: chosenTour.name })}
          message={t('tour.content.tour.deleteHint')}
          action={t('tour.content.delete')}
          onConfirm={() => mutations.deleteTour(chosenTour)}
          onClose={close}
        />
      ) : null}
    </section>
  );
});

interface TourItemProps {
  readonly tour: ContentTour;
  readonly nodes: readonly ContentNode[];
  readonly onOpen: (kind: 'edit' | 'delete') => void;
}

function TourItem({ tour, nodes, onOpen }: TourItemProps) {
  const t = useText();
  const styles = useAdminStyles();
  const opener = useRestoreFocusTarget();
  const titleId = `content-tour-${tour.uid}`;
  const startNode = nodes.find(({ uid }) => uid === tour.startNode);
  return (
    <li className={styles.form}>
      <div className={styles.head}>
        <div className={styles.grow}>
          <h3 id={titleId} className={styles.name}>
            {tour.name}
          </h3>
        </div>
        <div className={styles.actions}>
          <Button {...opener} aria-describedby={titleId} onClick={() => onOpen('edit')}>
            {t('tour.content.edit')}
          </Button>
          <Button {...opener} aria-describedby={titleId} onClick={() => onOpen('delete')}>
            {t('tour.content.delete')}
          </Button>
        </div>
      </div>
      <DescriptionList
        items={[
          [t('tour.content.fact.code'), tour.code],
          [t('tour.content.fact.start'), startNode?.name ?? t('tour.content.tour.noStart')],
          [t('tour.content.fact.viewpoints'), t('tour.content.count', { count: nodes.length })],
        ]}
      />
    </li>
  );
}
