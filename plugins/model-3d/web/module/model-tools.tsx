import { observer } from 'mobx-react-lite';
import { ToolButton } from '#core/ui';
import { usePluginSettings, useService, useText } from '#core/web';
import type manifest from '../../plugin.ts';
import { FitIcon, OrbitIcon, SectionIcon, TreeIcon, WalkIcon, XrayIcon } from './icons.tsx';
import { ModelBoard } from './model-board.ts';

/** A phone has room for one of the panels. */
const roomForOne = (): boolean => window.matchMedia('(max-width: 639px)').matches;

/** The buttons of the model; the external viewer brings its own. */
const ModelTools = observer(function ModelTools() {
  const t = useText();
  const board = useService(ModelBoard);
  const { engine } = usePluginSettings<typeof manifest>();
  if (engine === 'external') return null;
  const toggleTree = (): void => {
    if (roomForOne()) board.setSectionOpen(false);
    board.setTreeOpen(!board.treeOpen);
  };
  const toggleSection = (): void => {
    if (roomForOne()) board.setTreeOpen(false);
    board.setSectionOpen(!board.sectionOpen);
  };
  const walking = board.mode === 'walk';
  return (
    <>
      <ToolButton
        label={t(board.treeOpen ? 'model-3d.hideTree' : 'model-3d.showTree')}
        icon={<TreeIcon />}
        pressed={board.treeOpen}
        onClick={toggleTree}
      />
      <ToolButton
        label={t(walking ? 'model-3d.toOrbit' : 'model-3d.toWalk')}
        icon={walking ? <WalkIcon /> : <OrbitIcon />}
        onClick={() => board.setMode(walking ? 'orbit' : 'walk')}
      />
      <ToolButton
        label={t(board.selected.length > 0 ? 'model-3d.fitSelection' : 'model-3d.fitAll')}
        icon={<FitIcon />}
        onClick={() => board.engine?.fit(board.selected.length > 0 ? board.selected : undefined)}
      />
      <ToolButton
        label={t(board.xray ? 'model-3d.xrayOff' : 'model-3d.xrayOn')}
        icon={<XrayIcon />}
        pressed={board.xray}
        onClick={() => board.setXray(!board.xray)}
      />
      <ToolButton
        label={t('model-3d.section')}
        icon={<SectionIcon />}
        pressed={board.sectionOpen}
        onClick={toggleSection}
      />
    </>
  );
});
export default ModelTools;
