import { expect, test, type Page } from '@playwright/test';
import { answerTourForms, callApi } from './answer-tour-forms.ts';
import { fillInLogin, password, people } from './people.ts';
import { serve } from './serve-demo.ts';
import { addTwinSite } from './twin-site.ts';

// The window is small, because software rendering is slow.
test.use({ viewport: { width: 800, height: 500 } });

let server: Awaited<ReturnType<typeof serve>>;
test.beforeAll(async () => {
  const { out, data } = JSON.parse(process.env['JOURNEY_TWIN'] ?? '{}') as {
    readonly out: string;
    readonly data: string;
  };
  await addTwinSite(data);
  server = await serve(out, data);
  await answerTourForms(server.url, 'T-HB-M10', [people.admin]);
});
test.afterAll(() => server.stop());

const getParameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const getLocation = (page: Page) => new URL(page.url()).pathname.split('/').at(-1);
const expectTour = (page: Page, location: string, node: string) =>
  expect.poll(() => [getLocation(page), getParameter(page, 'node')]).toEqual([location, node]);

test('[DAT-06:viewpoint] [DAT-06:tag] opens, searches and links two sites with the same codes', async ({ page }) => {
  const openPath = (path: string) => page.goto(`${server.url}/dashboard${path}`);
  await openPath('/login');
  await fillInLogin(page, people.admin, password);
  await page.waitForURL(/\/console\//);

  // A code without a site opens a choice of sites.
  await openPath('/console/tour?node=HB-P05');
  await expect(page.getByRole('heading', { name: 'HB-P05 exists at several sites' })).toBeVisible();
  const links = page.getByRole('link', { name: /HB-P05|\(Module M10 process\)/ });
  await expect(links).toHaveCount(2);
  await links.filter({ hasText: 'twin' }).click();
  await expectTour(page, 'T-HB-M10', 'HB-P05');
  await expect(page.getByRole('navigation', { name: 'Current location' })).toContainText('twin');

  // Search and selection stay within the site, and the URL opens the same view from another screen.
  await page.getByRole('combobox', { name: /^Search/ }).fill('LV-1003');
  await page
    .getByRole('group', { name: 'Tags' })
    .getByRole('option', { name: /^LV-1003/ })
    .click();
  await expect.poll(() => getParameter(page, 'sel')).toBe('LV-1003');
  expect(getLocation(page)).toBe('T-HB-M10');
  const url = page.url();
  await openPath('/console/home');
  await page.goto(url);
  await expect(page.getByRole('complementary', { name: 'LV-1003' })).toBeVisible();

  // After a change of code, the previous code opens the viewpoint only at its own site.
  const { accessToken } = await callApi<{ readonly accessToken: string }>(server.url, 'POST', '/auth/pub/user/login', {
    username: people.admin,
    password,
  });
  const openedTour = await callApi<{ readonly nodes: readonly { readonly uid: string; readonly code: string }[] }>(
    server.url,
    'GET',
    '/api/tour/T-HB-M10',
    undefined,
    accessToken,
  );
  const node = openedTour.nodes.find(({ code }) => code === 'HB-P05');
  await callApi(server.url, 'PUT', `/api/tour/T-HB-M10/codes/NODE/${node?.uid}`, { code: 'T-P05' }, accessToken);
  await openPath('/console/tour?node=T-P05');
  await expectTour(page, 'T-HB-M10', 'T-P05');
  await openPath('/console/tour/T-HB-M10?node=HB-P05');
  await expectTour(page, 'T-HB-M10', 'T-P05');
  await openPath('/console/tour/HB-M10?node=HB-P05');
  await expectTour(page, 'HB-M10', 'HB-P05');
});
