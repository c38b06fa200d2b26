import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { installPackages } from '../../cli/install-packages.mjs';
import { findBrowser, hasChosenBrowser } from '../browser/find-browser.mjs';
import { hasMesa } from '../browser/mesa.mjs';
import { sampleDataFolder } from '../../core/testing/sample-data-folder.mjs';

/**
 * Installs everything that the tests need besides Node: packages, a browser and a PostgreSQL server. Prints the steps,
 * and a warning for each requirement that cannot be installed.
 */
export function setUp(root, notify = say) {
  installPackages(root, notify);
  const canInstall = isDebianRoot();
  if (canInstall && !hasChosenBrowser()) {
    runApt(['update'], notify);
    runApt(['install', '-y', '--no-install-recommends', 'chromium-headless-shell'], notify);
  }
  const requirements = [
    { name: 'a browser', debianPackages: ['chromium'], found: findBrowser() },
    { name: 'a renderer for WebGL', debianPackages: ['libegl1', 'libgl1-mesa-dri'], found: hasMesa || undefined },
    {
      name: 'a PostgreSQL server',
      debianPackages: ['postgresql'],
      found: process.env.TEST_DATABASE_URL ?? findPostgres(),
    },
  ];
  const missingPrograms = requirements.filter(({ found }) => found === undefined);
  if (missingPrograms.length > 0 && canInstall) {
    runApt(['update'], notify);
    runApt(
      ['install', '-y', '--no-install-recommends', ...missingPrograms.flatMap(({ debianPackages }) => debianPackages)],
      notify,
    );
  }
  const browser = findBrowser();
  if (browser === undefined)
    notify(
      'Chromium and Chrome were not found, so tests in a browser are skipped. Install one of them or set CHROME_PATH.',
    );
  if (process.env.TEST_DATABASE_URL === undefined && findPostgres() === undefined) {
    notify('PostgreSQL was not found, so tests on it are skipped. Install it or set TEST_DATABASE_URL.');
  }
  const samples = sampleDataFolder(root);
  if (!existsSync(samples))
    notify(
      `There is no sample data in ${samples}, so tests on it are skipped. Set WALKDOWN_SAMPLE_DATA to its folder.`,
    );
  return { browser };
}

function findPostgres() {
  const folders = ['/usr/lib/postgresql'].filter((folder) => existsSync(folder));
  return folders[0];
}

function isDebianRoot() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function runApt(args, notify) {
  notify(`apt-get ${args.join(' ')}`);
  const { status } = spawnSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) notify(`apt-get ${args[0]} ended with ${status}, so some requirements may be missing.`);
}

export function say(text) {
  process.stdout.write(`${text}\n`);
}
