// Loads jsdom from one file with compiled code, instead of its seven hundred modules. Node runs this before a test
// process (`--require`), or as a program that stores the compiled code. See jsdom-bundle.ts.
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { Script } = require('node:vm');

const bundle = process.env.WALKDOWN_JSDOM_BUNDLE;
const codeFile = process.env.WALKDOWN_JSDOM_CODE;
const entry = require.resolve('jsdom');

/** Node ignores the code of another version or with other options, and compiles the bundle. */
function runBundle(module) {
  const script = new Script(Module.wrap(readFileSync(bundle, 'utf8')), {
    filename: bundle,
    cachedData: existsSync(codeFile) ? readFileSync(codeFile) : undefined,
  });
  script.runInThisContext()(module.exports, Module.createRequire(entry), module, bundle, bundle);
  return script;
}

function storeCode() {
  const module = { exports: {} };
  const script = runBundle(module);
  // Compiles the functions that a window needs too.
  new module.exports.JSDOM('', { pretendToBeVisual: true, runScripts: 'dangerously', url: 'http://localhost' });
  writeFileSync(codeFile, script.createCachedData());
}

if (require.main === module) storeCode();
else if (bundle) {
  const load = Module._extensions['.js'];
  Module._extensions['.js'] = (loaded, filename) => {
    if (filename !== entry) return load(loaded, filename);
    Module._extensions['.js'] = load;
    runBundle(loaded);
  };
}
