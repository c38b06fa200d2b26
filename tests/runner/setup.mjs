import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { installPackages } from '../../cli/install-packages.mjs';
import { findBrowser, hasChosenBrowser } from '../browser/find-browser.mjs';
import { hasMesa } from '../browser/mesa.mjs';
import { sampleDataFolder } from '../../core/testing/sample-data-folder.mjs';

/**
 * Installs everything that the tests need besides Node: packages, a browser, a PostgreSQL server. Prints its steps, and
 * what is missing if it cannot be installed.
 */
export function setUp(root, notify = say) {
  installPackages(root, notify);
  const canInstall = isDebianRoot();
  if (canInstall && !hasChosenBrowser()) {
    apt(['update'], notify);
    apt(['install', '-y', '--no-install-recommends', 'chromium-headless-shell'], notify);
  }
  const requirements = [
    { name: 'a browser', debianPackages: ['chromium'], found: findBrowser() },
    { name: 'a renderer for WebGL', debianPackages: ['libegl1', 'libgl1-mesa-dri'], found: hasMesa || undefined },
    { name: 'a PostgreSQL server', debianPackages: ['postgresql'], found: process.env.TEST_DATABASE_URL ?? postgres() },
  ];
  const missing = requirements.filter(({ found }) => found === undefined);
  if (missing.length > 0 && canInstall) {
    apt(['update'], notify);
    apt(
      ['install', '-y', '--no-install-recommends', ...missing.flatMap(({ debianPackages }) => debianPackages)],
      notify,
    );
  }
  const browser = findBrowser();
  if (browser === undefined)
    notify('There is no Chromium or Chrome here: tests in a browser are skipped. Install one, or set CHROME_PATH.');
  if (process.env.TEST_DATABASE_URL === undefined && postgres() === undefined) {
    notify('There is no PostgreSQL here: tests on it are skipped. Install it, or set TEST_DATABASE_URL.');
  }
  const samples = sampleDataFolder(root);
  if (!existsSync(samples))
    notify(`There is no sample data in ${samples}: tests on it are skipped. Set WALKDOWN_SAMPLE_DATA to its folder.`);
  return { browser };
}

function postgres() {
  const found = ['/usr/lib/postgresql'].filter((folder) => existsSync(folder));
  return found[0];
}

function isDebianRoot() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function apt(args, notify) {
  notify(`apt-get ${args.join(' ')}`);
  const { status } = spawnSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) notify(`apt-get ${args[0]} ended with ${status}: what it should have brought is missing.`);
}

export function say(text) {
  process.stdout.write(`${text}\n`);
}
