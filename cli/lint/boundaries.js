import { readFileSync } from 'node:fs';
import path from 'node:path';
import { coreNames } from './core-names.js';
import { domSearches } from './dom-searches.js';
import { oldNames } from './old-names.js';
import { participleNames } from './participle-names.js';

/**
 * The parts of the source that each part may import. `own:` is a part of the same plugin. Another plugin is imported
 * only by its contract, `#plugins/<id>`, and only if the manifest lists it.
 */
const allowed = {
  'core/common': ['core/common'],
  'core/web': ['core/common', 'core/web'],
  'core/server': ['core/common', 'core/server'],
  'core/testing': ['core/common', 'core/web', 'core/server', 'core/testing'],
  'own:plugin.ts': ['core/common'],
  'own:contract': ['core/common', 'core/web', 'core/server', 'own:contract'],
  'own:common': ['core/common', 'own:contract', 'own:common'],
  'own:web': ['core/common', 'core/web', 'own:contract', 'own:common', 'own:web', 'own:plugin.ts'],
  'own:server': ['core/common', 'core/server', 'own:contract', 'own:common', 'own:server', 'own:plugin.ts'],
  'own:testing': [
    'core/common',
    'core/web',
    'core/server',
    'core/testing',
    'own:contract',
    'own:common',
    'own:web',
    'own:server',
    'own:plugin.ts',
    'own:testing',
  ],
  cli: ['core/common', 'core/server', 'core/web', 'cli'],
};

/** Pairs of parts where the first may import only types from the second. */
const typeOnly = new Set([
  'own:contract core/web',
  'own:contract core/server',
  'own:web own:plugin.ts',
  'own:server own:plugin.ts',
]);

const partByName = {
  '#core': 'core/common',
  '#core/api': 'core/common',
  '#core/web': 'core/web',
  '#core/ui': 'core/web',
  '#core/ui-data': 'core/web',
  '#core/server': 'core/server',
  '#core/testing/web': 'core/testing',
  '#core/testing/server': 'core/testing',
  '#core/testing/sample-data': 'core/testing',
};

function toPart(file) {
  const [top, second, third] = file.split('/');
  if (top === 'core') return { part: `core/${second}` };
  if (top === 'plugins') return { part: `own:${third}`, plugin: second };
  if (top === 'cli') return { part: 'cli' };
  return undefined;
}

function readManifestList(root, plugin, key) {
  const manifest = readFileSync(path.join(root, 'plugins', plugin, 'plugin.ts'), 'utf8');
  const list = new RegExp(`\\b${key}:\\s*\\[([^\\]]*)\\]`).exec(manifest)?.[1] ?? '';
  return [...list.matchAll(/['"]([^'"]+)['"]/g)].map((match) => match[1]);
}

/** Whether every specifier is a type: `import type`, or each name marked `type`. */
function isTypeOnly(node) {
  if (node.importKind === 'type' || node.exportKind === 'type') return true;
  const specifiers = node.specifiers ?? [];
  return (
    specifiers.length > 0 &&
    specifiers.every((specifier) => specifier.importKind === 'type' || specifier.exportKind === 'type')
  );
}

/** The problem with one import of a test file, or undefined. A test may import everything of its own plugin. */
function testImportProblem({ file, target }) {
  const from = toPart(file);
  const to = target.startsWith('.') && toPart(path.posix.join(path.posix.dirname(file), target));
  if (!from?.plugin || !to?.plugin || to.plugin === from.plugin) return undefined;
  return `Import another plugin's test kit by '#plugins/${to.plugin}/testing/web' or '/server'.`;
}

/** The problem with one import, or undefined. Exported for its test. */
export function importProblem({ root, file, target, isType }) {
  const from = toPart(file);
  if (!from) return undefined;

  if (/^#plugins\/[^/]+\/testing\/(web|server)$/.test(target))
    return from.part === 'own:testing'
      ? undefined
      : `'${target}' is a test kit. Only tests and test kits may import it.`;
  const plugin = /^#plugins\/([^/]+)(\/api)?$/.exec(target);
  if (plugin) {
    const [, other, api] = plugin;
    if (!from.plugin)
      return from.part === 'core/testing' || from.part === 'cli'
        ? undefined
        : 'The kernel knows no plugin. Host an extension point instead.';
    if (api && from.part === 'own:web' && !isType)
      return `Import only types from '${target}' in the browser: its schemas have 77 kB.`;
    if (other === from.plugin || isType || readManifestList(root, from.plugin, 'requires').includes(other))
      return undefined;
    const isBridge = new RegExp(`/(web|server)/bridges/${other}(/|\\.tsx?$)`).test(file);
    if (readManifestList(root, from.plugin, 'bridges').includes(other) && isBridge) return undefined;
    return (
      `'${from.plugin}' may use '${other}' only if plugin.ts lists it in 'requires', or in 'bridges' and then only ` +
      `from bridges/${other}.ts.`
    );
  }
  if (target === '#core/api' && from.part.endsWith('web') && !isType)
    return "Import only types from '#core/api' in the browser: its schemas have 77 kB.";
  if (
    target.startsWith('node:') &&
    (from.part.endsWith('web') || from.part.endsWith('common') || from.part === 'own:contract')
  )
    return 'This part also runs in the browser, which has no Node.';
  if (
    target.startsWith('@fluentui/') &&
    from.part.endsWith('web') &&
    !isType &&
    !/^core\/web\/(ui|sign-in|shell)\//.test(file)
  ) {
    return "Import components from '#core/ui' or '#core/ui-data'. Other imports of Fluent break the chunks of the bundle.";
  }

  const targetPath = target.startsWith('.') && path.posix.join(path.posix.dirname(file), target);
  if (targetPath && from.part !== 'cli' && from.part !== 'core/testing' && /^(?:tests|profiles)\//.test(targetPath))
    return `'${targetPath}' belongs to no product. Files that core and plugins need must be in core or in the plugin.`;
  const to = target in partByName ? { part: partByName[target] } : targetPath ? toPart(targetPath) : undefined;
  if (!to) return undefined;
  if (to.plugin && to.plugin !== from.plugin)
    return `Import another plugin only by its contract: '#plugins/${to.plugin}'.`;
  if (target.startsWith('.') && from.part.startsWith('own:') && to.part.startsWith('core/'))
    return `Import core by its name: '#core', '#core/web', '#core/ui', '#core/server'.`;
  if (!(allowed[from.part] ?? []).includes(to.part))
    return `'${from.part.replace('own:', '')}' must not import '${to.part.replace('own:', '')}'.`;
  if (typeOnly.has(`${from.part} ${to.part}`) && !isType) return `Import only types from '${target}' here.`;
  return undefined;
}

const boundaries = {
  create(context) {
    const root = process.cwd();
    const file = path.relative(root, context.filename).split(path.sep).join('/');
    const isTest = /\.test\.tsx?$/.test(file);
    const check = (node) => {
      const target = node.source?.value;
      if (typeof target !== 'string') return;
      const message = isTest
        ? testImportProblem({ file, target })
        : importProblem({ root, file, target, isType: isTypeOnly(node) });
      if (message) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

export default {
  meta: { name: 'walkdown' },
  rules: {
    boundaries,
    'core-names': coreNames,
    'dom-searches': domSearches,
    'old-names': oldNames,
    'participle-names': participleNames,
  },
};
