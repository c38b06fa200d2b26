import { observer } from 'mobx-react-lite';
import { Button, makeStyles, ToggleButton, tokens } from '#core/ui';
import { useText } from '#core/web';
import { planTools, type PlanGestures } from '../../stores/plan-gestures.ts';
import type { PlanView } from '../../stores/plan-view.ts';

const zoomFactor = 1.5;

const useStyles = makeStyles({
  root: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  group: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalXS },
  button: { '@media (pointer: coarse)': { minHeight: '44px', minWidth: '44px' } },
});

export interface PlanToolbarProps {
  readonly view: PlanView;
  readonly gestures: PlanGestures;
  readonly canAdd: boolean;
}

/** Selects the tool of the pointer, and zooms. */
export const PlanToolbar = observer(function PlanToolbar({ view, gestures, canAdd }: PlanToolbarProps) {
  const t = useText();
  const styles = useStyles();
  return (
    <div className={styles.root}>
      <div role="group" aria-label={t('tour.content.tools')} className={styles.group}>
        {planTools.map((tool) => (
          <ToggleButton
            key={tool}
            className={styles.button}
            checked={gestures.tool === tool}
            disabledFocusable={tool === 'add' && !canAdd}
            onClick={() => gestures.setTool(tool)}
          >
            {t(`tour.content.tool.${tool}`)}
          </ToggleButton>
        ))}
      </div>
      <div role="group" aria-label={t('tour.content.zoom')} className={styles.group}>
        <Button className={styles.button} aria-label={t('tour.zoomIn')} onClick={() => view.zoom(zoomFactor)}>
          <span aria-hidden="true">+</span>
        </Button>
        <Button className={styles.button} aria-label={t('tour.zoomOut')} onClick={() => view.zoom(1 / zoomFactor)}>
          <span aria-hidden="true">−</span>
        </Button>
        <Button className={styles.button} onClick={() => view.showAll()}>
          {t('tour.content.showAll')}
        </Button>
      </div>
    </div>
  );
});
