import { contribute } from '#core';
import { webPlugin } from '#core/web';
import { tourModules, tourTools } from '#plugins/tour';
import { deviceCheck, mappingAdmin, ModelDepth, modelModule, modelsAdmin, tagRulesAdmin } from '../contract/index.ts';
import type manifest from '../plugin.ts';

const loadParts = () => import('./lazy.ts');
const loadAdminParts = () => import('./admin/lazy.ts');

export default webPlugin<typeof manifest>()({
  routes: [
    {
      routeRef: deviceCheck,
      title: 'model-3d.check.title',
      audience: 'bare',
      category: 'TOUR',
      access: 'threeDimensionalAccess',
      load: () => loadParts().then(({ DeviceCheckScreen }) => ({ default: DeviceCheckScreen })),
    },
    {
      routeRef: modelsAdmin,
      title: 'model-3d.admin.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: () => loadAdminParts().then(({ ModelsScreen }) => ({ default: ModelsScreen })),
    },
    {
      routeRef: mappingAdmin,
      title: 'model-3d.mapping.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: () => loadAdminParts().then(({ MappingScreen }) => ({ default: MappingScreen })),
    },
    {
      routeRef: tagRulesAdmin,
      title: 'model-3d.rules.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: () => loadAdminParts().then(({ TagRulesScreen }) => ({ default: TagRulesScreen })),
    },
  ],
  menu: [
    { id: 'model-3d.adminItem', slot: 'admin.sidebar', to: modelsAdmin, order: 40, group: 'content' },
    { id: 'model-3d.mappingItem', slot: 'admin.sidebar', to: mappingAdmin, order: 50, group: 'content' },
  ],
  contributions: [
    contribute(tourModules, {
      id: modelModule,
      order: 30,
      access: 'threeDimensionalAccess',
      title: 'model-3d.title',
      shortTitle: 'model-3d.short',
      viewType: 'THREE_D_MODEL',
      depthSource: ModelDepth,
      icon: () => import('./components/model-icon.tsx'),
      load: () => loadParts().then(({ ModelModule }) => ({ default: ModelModule })),
    }),
    contribute(tourTools, {
      id: 'model-3d.tools',
      order: 10,
      access: 'threeDimensionalAccess',
      modules: [modelModule],
      load: () => loadParts().then(({ ModelTools }) => ({ default: ModelTools })),
    }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  refusalMessages: {
    en: () => import('../contract/messages/en.json'),
    fr: () => import('../contract/messages/fr.json'),
  },
  services: () => loadParts().then(({ services }) => ({ default: services })),
});
