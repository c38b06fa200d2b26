import { observer } from 'mobx-react-lite';
import { useEffect, useId } from 'react';
import type { LocationNode } from '#core';
import { ResourceView } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { PictureChanges } from '../stores/picture-changes.ts';
import { AreasEditor } from './areas-editor.tsx';
import { PictureField } from './picture-field.tsx';

export interface PicturesCardProps {
  readonly location: LocationNode;
  readonly changes: PictureChanges;
}

/** The icon, the navigation image and the map hotspots of a location. */
export const PicturesCard = observer(function PicturesCard({ location, changes }: PicturesCardProps) {
  const t = useText();
  const styles = useAdminStyles();
  const heading = useId();
  useEffect(() => {
    void changes.resource.load();
  }, [changes]);
  const pictures = changes.find(location.uid);
  const common = { location, pictures, changes };
  return (
    <section className={styles.card} aria-labelledby={heading}>
      <h3 id={heading} className={styles.name}>
        {t('locations.pictures.title')}
      </h3>
      <ResourceView resource={changes.resource}>
        {() => (
          <div className={styles.form}>
            <PictureField kind="icon" {...common} />
            <PictureField kind="navigationImage" {...common} />
            {pictures.navigationImage === null ? null : <AreasEditor {...common} image={pictures.navigationImage} />}
          </div>
        )}
      </ResourceView>
    </section>
  );
});
