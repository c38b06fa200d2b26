import { usePluginSettings } from '#core/web';
import type manifest from '../../plugin.ts';
import { ExternalModel } from './external-model.tsx';
import { BuiltInModel } from './built-in-model.tsx';

/** The 3D tour module with the engine that the profile selects. */
export default function ModelModule() {
  const { engine, external } = usePluginSettings<typeof manifest>();
  return engine === 'external' && external ? <ExternalModel settings={external} /> : <BuiltInModel />;
}
