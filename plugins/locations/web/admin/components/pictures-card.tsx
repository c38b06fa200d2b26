import { observer } from 'mobx-react-lite';
import { useEffect, useId } from 'react';
import type { LocationNode } from '#core';
import { ResourceView } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { PictureMutations } from '../stores/picture-mutations.ts';
import { AreasEditor } from './areas-editor.tsx';
import { PictureField } from './picture-field.tsx';

export interface PicturesCardProps {
  readonly location: LocationNode;
  readonly mutations: PictureMutations;
}

/** The icon, the navigation image and the map hotspots of a location. */
export const PicturesCard = observer(function PicturesCard({ location, mutations }: PicturesCardProps) {
  const t = useText();
  const styles = useAdminStyles();
  const heading = useId();
  useEffect(() => {
    void mutations.resource.load();
  }, [mutations]);
  const pictures = mutations.find(location.uid);
  const common = { location, pictures, mutations };
  return (
    <section className={styles.card} aria-labelledby={heading}>
      <h3 id={heading} className={styles.name}>
        {t('locations.pictures.title')}
      </h3>
      <ResourceView resource={mutations.resource}>
        {() => (
          <div className={styles.form}>
            <PictureField kind="icon" {...common} />
            <PictureField kind="navigationImage" {...common} />
            {pictures.navigationImage === null ? null : <AreasEditor {...common} imageUrl={pictures.navigationImage} />}
          </div>
        )}
      </ResourceView>
    </section>
  );
});
