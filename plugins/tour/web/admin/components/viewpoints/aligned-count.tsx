import { observer } from 'mobx-react-lite';
import { useAdminStyles } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import type { TourContent } from '../../../../contract/api/tour-content.ts';
import { maxAgreedDegrees } from '../../../../contract/values/content-values.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';

export interface AlignedCountProps {
  readonly content: TourContent;
  readonly editor: ViewpointEditor;
}

/** Shows how many of the viewpoints with a panorama agree with the model, or that there is nothing to compare with. */
export const AlignedCount = observer(function AlignedCount({ content, editor }: AlignedCountProps) {
  const t = useText();
  const styles = useAdminStyles();
  const formats = useFormats();
  const picturedNodes = editor.saved.filter(({ hasPanorama }) => hasPanorama);
  if (picturedNodes.length === 0) return null;
  const agreedUids = new Set(
    content.alignments.filter(({ residual }) => residual <= maxAgreedDegrees).map(({ node }) => node),
  );
  const agreed = picturedNodes.filter(({ uid }) => agreedUids.has(uid)).length;
  if (!content.hasSurfaces && agreed === 0) return <p className={styles.note}>{t('tour.align.noSurface')}</p>;
  return (
    <p className={styles.note}>
      {t('tour.align.agreed', {
        agreed,
        count: picturedNodes.length,
        limit: formats.number(maxAgreedDegrees, 1),
      })}
    </p>
  );
});
