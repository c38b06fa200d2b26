import { observer } from 'mobx-react-lite';
import { Button, makeStyles } from '#core/ui';
import { useContributions, useService, useText } from '#core/web';
import { tourModules, TourStore, ViewSurfaces } from '#plugins/tour';

const useStyles = makeStyles({ button: { minHeight: '44px' } });

/** Buttons that open another module at the same view, for a picture without depth. The tool stays active. */
export const ContinueIn = observer(function ContinueIn({ onContinue }: { readonly onContinue: () => void }) {
  const styles = useStyles();
  const t = useText();
  const tourStore = useService(TourStore);
  const surfaces = useService(ViewSurfaces);
  const otherModules = useContributions(tourModules).filter(
    ({ id, depthSource }) => depthSource !== undefined && surfaces.all.every(({ module }) => module !== id),
  );
  return otherModules.map((module) => (
    <Button
      key={module.id}
      className={styles.button}
      onClick={() => {
        onContinue();
        tourStore.chooseModule(module.id);
      }}
    >
      {t('annotate.continueIn', { module: t(module.title) })}
    </Button>
  ));
});
