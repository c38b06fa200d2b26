import { observer } from 'mobx-react-lite';
import { ToolButton } from '#core/ui';
import { usePluginSettings, useService, useText } from '#core/web';
import type manifest from '../../plugin.ts';
import { FitIcon, OrbitIcon, SectionIcon, TreeIcon, WalkIcon, XrayIcon } from './icons.tsx';
import { ModelViewStore } from '../stores/model-view-store.ts';

/** On a phone, only one panel fits on the screen. */
const isPhone = (): boolean => window.matchMedia('(max-width: 639px)').matches;

/** Tool bar buttons of the built-in engine. The external viewer has its own buttons. */
const ModelTools = observer(function ModelTools() {
  const t = useText();
  const modelView = useService(ModelViewStore);
  const { engine } = usePluginSettings<typeof manifest>();
  if (engine === 'external') return null;
  const toggleTree = (): void => {
    if (isPhone()) modelView.setSectionOpen(false);
    modelView.setTreeOpen(!modelView.treeOpen);
  };
  const toggleSection = (): void => {
    if (isPhone()) modelView.setTreeOpen(false);
    modelView.setSectionOpen(!modelView.sectionOpen);
  };
  const isWalking = modelView.mode === 'walk';
  return (
    <>
      <ToolButton
        label={t(modelView.treeOpen ? 'model-3d.hideTree' : 'model-3d.showTree')}
        icon={<TreeIcon />}
        pressed={modelView.treeOpen}
        onClick={toggleTree}
      />
      <ToolButton
        label={t(isWalking ? 'model-3d.toOrbit' : 'model-3d.toWalk')}
        icon={isWalking ? <WalkIcon /> : <OrbitIcon />}
        onClick={() => modelView.setMode(isWalking ? 'orbit' : 'walk')}
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
