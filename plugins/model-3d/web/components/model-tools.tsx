import { observer } from 'mobx-react-lite';
import { ToolButton } from '#core/ui';
import { usePluginSettings, useService, useText } from '#core/web';
import type manifest from '../../plugin.ts';
import { FitIcon, OrbitIcon, SectionIcon, TreeIcon, WalkIcon, XrayIcon } from './icons.tsx';
import { ModelViewStore } from '../stores/model-view-store.ts';

/** A phone has space for one panel only. */
const buttonWidth = (): boolean => window.matchMedia('(max-width: 639px)').matches;

/** Tool bar buttons of the built-in engine; the external viewer has its own. */
const ModelTools = observer(function ModelTools() {
  const t = useText();
  const modelView = useService(ModelViewStore);
  const { engine } = usePluginSettings<typeof manifest>();
  if (engine === 'external') return null;
  const toggleTree = (): void => {
    if (buttonWidth()) modelView.setSectionOpen(false);
    modelView.setTreeOpen(!modelView.treeOpen);
  };
  const toggleSection = (): void => {
    if (buttonWidth()) modelView.setTreeOpen(false);
    modelView.setSectionOpen(!modelView.sectionOpen);
  };
  const walking = modelView.mode === 'walk';
  return (
    <>
      <ToolButton
        label={t(modelView.treeOpen ? 'model-3d.hideTree' : 'model-3d.showTree')}
        icon={<TreeIcon />}
        pressed={modelView.treeOpen}
        onClick={toggleTree}
      />
      <ToolButton
        label={t(walking ? 'model-3d.toOrbit' : 'model-3d.toWalk')}
        icon={walking ? <WalkIcon /> : <OrbitIcon />}
        onClick={() => modelView.setMode(walking ? 'orbit' : 'walk')}
      />
      <ToolButton
        label={t(modelView.selected.length > 0 ? 'model-3d.fitSelection' : 'model-3d.fitAll')}
        icon={<FitIcon />}
        onClick={() => modelView.engine?.fit(modelView.selected.length > 0 ? modelView.selected : undefined)}
      />
      <ToolButton
        label={t(modelView.xray ? 'model-3d.xrayOff' : 'model-3d.xrayOn')}
        icon={<XrayIcon />}
        pressed={modelView.xray}
        onClick={() => modelView.setXray(!modelView.xray)}
      />
      <ToolButton
        label={t('model-3d.section')}
        icon={<SectionIcon />}
        pressed={modelView.sectionOpen}
        onClick={toggleSection}
      />
    </>
  );
});
export default ModelTools;
