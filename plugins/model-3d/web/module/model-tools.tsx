import type { ReactElement } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, Tooltip } from '#core/ui';
import { usePluginSettings, useService, useText } from '#core/web';
import type manifest from '../../plugin.ts';
import { FitIcon, OrbitIcon, SectionIcon, TreeIcon, WalkIcon, XrayIcon } from './icons.tsx';
import { ModelBoard } from './model-board.ts';

/** The buttons of the model; the external viewer brings its own. */
const ModelTools = observer(function ModelTools() {
  const t = useText();
  const board = useService(ModelBoard);
  const { engine } = usePluginSettings<typeof manifest>();
  if (engine === 'external') return null;
  const walking = board.mode === 'walk';
  return (
    <>
      <Tool label={t(board.treeOpen ? 'model-3d.hideTree' : 'model-3d.showTree')} icon={<TreeIcon />} pressed={board.treeOpen} onClick={() => board.setTreeOpen(!board.treeOpen)} />
      <Tool label={t(walking ? 'model-3d.toOrbit' : 'model-3d.toWalk')} icon={walking ? <WalkIcon /> : <OrbitIcon />} onClick={() => board.setMode(walking ? 'orbit' : 'walk')} />
      <Tool label={t(board.selected.length > 0 ? 'model-3d.fitSelection' : 'model-3d.fitAll')} icon={<FitIcon />} onClick={() => board.engine?.fit(board.selected.length > 0 ? board.selected : undefined)} />
      <Tool label={t(board.xray ? 'model-3d.xrayOff' : 'model-3d.xrayOn')} icon={<XrayIcon />} pressed={board.xray} onClick={() => board.setXray(!board.xray)} />
      <Tool label={t('model-3d.section')} icon={<SectionIcon />} pressed={board.sectionOpen} onClick={() => board.setSectionOpen(!board.sectionOpen)} />
    </>
  );
});
export default ModelTools;

interface ToolProps {
  readonly label: string;
  readonly icon: ReactElement;
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

function Tool({ label, icon, pressed, onClick }: ToolProps) {
  return (
    <Tooltip content={label} relationship="label">
      <Button size="large" appearance="subtle" icon={icon} onClick={onClick} {...(pressed === undefined ? {} : { 'aria-pressed': pressed })} />
    </Tooltip>
  );
}
