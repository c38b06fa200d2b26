import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildProduct, type BuildReport } from '../../cli/bundle/build-product.ts';
import { loadPlugins } from '../../cli/profile/load-plugins.ts';
import { resolveProfile } from '../../cli/profile/resolve-profile.ts';
import { createGeneratedFolder } from './build-fixture.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
/** The default profile without its removable plugins: tours with panoramas only. */
const profile = path.join(root, 'tests', 'builds', 'fixtures', 'profiles', 'without-scan.json');
const disabledPlugins = ['annotate', 'model-3d', 'permits', 'scan'];
/** Texts that only these plugins contain: API paths, URLs, messages, tables, and library names. */
const traces = [
  '/api/scan/',
  '/api/annotate/',
  'annotate.title',
  'annotate.measure',
  'create table annotation',
  'create table measurement',
  'create table snapshot',
  '/api/model-3d/',
  'console/view2',
  'console/view3',
  'admin/console/scans',
  '3d-mapping',
  'scan.tokenExpired',
  'Scan Token has expired',
  'model-3d.module',
  'model_3d',
  'laz-perf',
  'BufferGeometry',
  'WebGLRenderer',
  'MeshoptDecoder',
  'web-ifc',
  'TilesRenderer',
  'objects.json.gz',
  'permits.contents',
  'permits.refused',
  'create table permit',
  '_PERMIT_IMPORT_FILE',
  'hot_work_permit',
  'ZONE-0',
];

let folder = '';
let report: BuildReport;
let files: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-without-scan-'));
  const entriesFolder = await createGeneratedFolder();
  const resolvedProfile = await resolveProfile(root, profile, await loadPlugins(root, [path.join(root, 'plugins')]));
  const out = path.join(folder, 'product');
  try {
    report = await buildProduct({ root, resolvedProfile, out, entriesFolder, compress: false });
  } finally {
    await rm(entriesFolder, { recursive: true, force: true });
  }
  const entries = (await readdir(out, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  files = new Map(
    await Promise.all(
      entries.map(
        async (entry) =>
          [
            path.relative(out, path.join(entry.parentPath, entry.name)),
            await readFile(path.join(entry.parentPath, entry.name), 'latin1'),
          ] as const,
      ),
    ),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('[PRO-09] [PRO-18] leaves no trace of scan, annotate, permits and 3D model in a product without them', () => {
  // The search finds texts of plugins that the product contains. This shows that the search works.
  for (const enabledText of ['/api/tour/', 'vr.module', 'console/view1'])
    expect(
      [...files].some(([, text]) => text.includes(enabledText)),
      enabledText,
    ).toBe(true);
  expect(report.proof.enabled).toContain('vr');
  expect(report.proof.disabled).toEqual(expect.arrayContaining(disabledPlugins));
  expect(report.proof.files.filter(({ plugins }) => plugins.some((id) => disabledPlugins.includes(id)))).toEqual([]);
  // The proof lists the disabled plugins, and the notices list packages.
  const foundTraces = traces.flatMap((trace) =>
    [...files]
      .filter(([file, text]) => file !== 'proof.json' && text.includes(trace))
      .map(([file]) => `${trace} in ${file}`),
  );
  expect(foundTraces).toEqual([]);
});

it('[PRO-18] contains no WebAssembly and no three.js without these plugins', () => {
  const webFiles = [...files].filter(([file]) => file.startsWith('web/'));
  expect(webFiles.length).toBeGreaterThan(20);
  expect(
    webFiles
      .filter(([file, text]) => file.endsWith('.wasm') || text.startsWith('\0asm') || /\bWebAssembly\b/.test(text))
      .map(([file]) => file)
      // The worker of pdf.js could load WebAssembly, which is not part of the product.
      .filter((file) => !file.startsWith('web/static/js/pdf.worker-')),
  ).toEqual([]);
  expect(webFiles.filter(([, text]) => /\bTHREE\b|three\.module|__THREE__/.test(text)).map(([file]) => file)).toEqual(
    [],
  );
});
