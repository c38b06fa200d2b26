import { expect, it } from 'vitest';
import { describeAccess } from '#core/testing/server';
import { loadAllPlugins } from './all-plugins.ts';

const { plugins, bridges } = await loadAllPlugins();

it('covers all plugins that have a server half', () => {
  expect(plugins.length).toBeGreaterThan(0);
  expect(plugins.map(({ id }) => id)).toEqual(expect.arrayContaining(['locations', 'tour']));
});

describeAccess('access to every endpoint of core and of all plugins', plugins, bridges);
