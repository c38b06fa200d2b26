import { observer } from 'mobx-react-lite';
import type { RefObject } from 'react';
import type { LocationNode } from '#core';
import { Button, MessageBar, MessageBarBody, useRestoreFocusTarget } from '#core/ui';
import { DescriptionList, useAdminStyles } from '#core/ui-data';
import { Locations, useService, useText } from '#core/web';
import { findStepTarget, listChildTypes } from '../../../common/location-placement.ts';
import type { LocationMutations } from '../stores/location-mutations.ts';
import type { PictureMutations } from '../stores/picture-mutations.ts';
import { ChevronIcon } from './chevron-icon.tsx';
import { PicturesCard } from './pictures-card.tsx';
import { SiteRecordCard } from './site-record-card.tsx';

export interface LocationDetailsProps {
  readonly location: LocationNode;
  readonly siblings: readonly LocationNode[];
  readonly headingRef: RefObject<HTMLHeadingElement | null>;
  readonly canChange: boolean;
  readonly canMove: boolean;
  /** False if locations are sorted by name. */
  readonly hasOrder: boolean;
  readonly mutations: LocationMutations;
  readonly pictures: PictureMutations;
  readonly onAdd: () => void;
  readonly onEdit: () => void;
  readonly onMove: () => void;
  readonly onStep: (before: string | null) => void;
  readonly onDelete: () => void;
}

/** The selected location with its actions, and the record of a site. */
export const LocationDetails = observer(function LocationDetails({
  location,
  siblings,
  headingRef,
  canChange,
  canMove,
  hasOrder,
  mutations,
  pictures,
  onAdd,
  onEdit,
  onMove,
  onStep,
  onDelete,
}: LocationDetailsProps) {
  const styles = useAdminStyles();
  const t = useText();
  const opener = useRestoreFocusTarget();
  const path = useService(Locations).pathTo(location.uid).slice(0, -1);
  const stepUpTarget = findStepTarget(siblings, location.uid, 'up');
  const stepDownTarget = findStepTarget(siblings, location.uid, 'down');
  return (
    <div className={styles.list}>
      <section className={styles.card} aria-label={location.name}>
        <h2 ref={headingRef} tabIndex={-1} className={styles.name}>
          {location.name}
        </h2>
        <DescriptionList
          items={[
            [t('locations.sites.fact.type'), t(`locations.type.${location.locationType}`)],
            [t('locations.sites.fact.code'), location.uid],
            ...(location.label === '' ? [] : [[t('locations.sites.fact.label'), location.label] as const]),
            ...(path.length === 0
              ? []
              : [[t('locations.sites.fact.path'), path.map(({ name }) => name).join(' › ')] as const]),
            [t('locations.sites.fact.below'), t('locations.sites.below', { count: location.children.length })],
          ]}
        />
        {canChange ? (
          <div className={styles.actions}>
            {listChildTypes(location.locationType).length === 0 ? null : (
              <Button {...opener} appearance="primary" onClick={onAdd}>
                {t('locations.sites.addBelow')}
              </Button>
            )}
            <Button {...opener} onClick={onEdit}>
              {t('locations.sites.edit')}
            </Button>
            {canMove ? (
              <>
                <Button {...opener} onClick={onMove}>
                  {t('locations.sites.move')}
                </Button>
                {hasOrder ? (
                  <>
                    <Button
                      icon={<ChevronIcon direction="up" />}
                      disabledFocusable={stepUpTarget === undefined}
                      onClick={() => stepUpTarget !== undefined && onStep(stepUpTarget)}
                    >
                      {t('locations.sites.moveUp')}
                    </Button>
                    <Button
                      icon={<ChevronIcon direction="down" />}
                      disabledFocusable={stepDownTarget === undefined}
                      onClick={() => stepDownTarget !== undefined && onStep(stepDownTarget)}
                    >
                      {t('locations.sites.moveDown')}
                    </Button>
                  </>
                ) : null}
              </>
            ) : null}
            <Button {...opener} onClick={onDelete}>
              {t('locations.sites.delete')}
            </Button>
          </div>
        ) : (
          <MessageBar layout="multiline">
            <MessageBarBody>{t('locations.sites.noAccess')}</MessageBarBody>
          </MessageBar>
        )}
        {canMove && !hasOrder ? <p className={styles.note}>{t('locations.sites.byName')}</p> : null}
      </section>
      {canChange ? <PicturesCard key={`pictures ${location.uid}`} location={location} mutations={pictures} /> : null}
      {location.locationType === 'PRIMARY_LOCATION' && canChange ? (
        <SiteRecordCard key={location.uid} site={location} mutations={mutations} />
      ) : null}
    </div>
  );
});
