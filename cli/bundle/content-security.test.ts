import path from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../project-root.ts';
import { loadPlugins } from '../profile/load-plugins.ts';
import { createContentSecurityPolicy, listAdditionalSources } from './content-security.ts';

const plugins = await loadPlugins(path.join(projectRoot));
const noNeeds = { inlineScripts: [], inlineStyles: [], webAssembly: true, connectOrigins: [] } as const;

it('[TOUR-13] allows only the origins of the external model viewer that the profile names', () => {
  const external = {
    script: 'https://viewer.example/7/viewer3D.min.js',
    service: 'https://models.example:8443/api',
    token: 'https://login.example/token',
    env: 'E',
    api: 'A',
    urns: {},
  };
  const additionalSources = listAdditionalSources({
    enabled: ['model-3d'],
    plugins,
    settings: { 'model-3d': { engine: 'external', external } },
  });
  const { header } = createContentSecurityPolicy({ ...noNeeds, additionalSources });
  expect(header).toContain("script-src 'self' 'wasm-unsafe-eval' https://viewer.example;");
  expect(header).toContain("connect-src 'self' https://models.example:8443 https://viewer.example;");
  expect(header).toContain("worker-src 'self' blob:;");
  expect(header).not.toContain('login.example');
});

it('[TOUR-13] allows only the origin of the page for the built-in model viewer', () => {
  const additionalSources = listAdditionalSources({
    enabled: ['model-3d'],
    plugins,
    settings: { 'model-3d': { engine: 'builtin' } },
  });
  expect(createContentSecurityPolicy({ ...noNeeds, additionalSources })).toEqual(createContentSecurityPolicy(noNeeds));
});

it('forbids frames, base elements and embedded objects', () => {
  const directives = createContentSecurityPolicy(noNeeds).header.split('; ');
  expect(directives).toEqual(
    expect.arrayContaining(["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]),
  );
  // `default-src` applies to missing directives.
  expect(directives.filter((directive) => directive.startsWith('object-src'))).toEqual([]);
});
