import { randomUUID } from 'node:crypto';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { EventReader } from '../../core/testing/server/event-reader.ts';
import { getJourneyOrigin, password, people, signIn } from './people.ts';
import { chooseTool, lookAt, PlantView, type NodeView } from './plant-view.ts';

const size = { width: 1440, height: 900 };
test.use({ viewport: size });

const look: NodeView = { node: 'HB-P09', pan: 15, tilt: 3, fov: 60 };
/** Unique for each run, because a running server may have the annotations of earlier runs. */
const runName = `bolt ${Date.now() % 100_000}`;

const findAnnotations = (page: Page): Locator =>
  page.getByRole('complementary', { name: 'Annotations' }).getByRole('listitem');

async function openAnnotations(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Annotate', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Show annotations/ }).click();
}

async function addLabel(page: Page, picture: Locator, text: string, shared: boolean): Promise<void> {
  const bar = await chooseTool(page, 'Annotate', 'Text label');
  await picture.click({ position: new PlantView(look, size).toPixel([-12.3, 7.75, 1.6]) });
  await bar.getByRole('textbox', { name: 'Text' }).fill(text);
  if (!shared) await bar.getByRole('switch', { name: 'Shared' }).click();
  await bar.getByRole('button', { name: 'Save' }).click();
  await bar.getByRole('button', { name: 'Stop annotating' }).click();
  await expect(findAnnotations(page).filter({ hasText: text })).toBeVisible();
}

test('[TOUR-22] shows changes of shared annotations to other people without reloading', async ({ page, browser }) => {
  await signIn(page, people.admin);
  const picture = await lookAt(page, 'scan.module', look);
  await openAnnotations(page);
  const colleague = await browser.newPage({ viewport: size, locale: 'en-GB' });
  await signIn(colleague, people.staff);
  await lookAt(colleague, 'vr.module', look);
  await openAnnotations(colleague);
  let loadCount = 0;
  colleague.on('load', () => (loadCount += 1));
  const colleaguesItems = findAnnotations(colleague).filter({ hasText: runName });
  const drawnLabels = colleague.getByTestId('annotation-overlay').locator('[data-kind=TEXT_LABEL]');

  await addLabel(page, picture, `private ${runName}`, false);
  await addLabel(page, picture, `shared ${runName}`, true);
  await expect(colleaguesItems).toHaveText(new RegExp(`shared ${runName}`));
  await expect(drawnLabels).toHaveCount(1);

  const ownItem = findAnnotations(page).filter({ hasText: `shared ${runName}` });
  await ownItem.getByRole('button', { name: 'Mark as done' }).click();
  await expect(colleaguesItems).toContainText('Done');

  await colleaguesItems.getByRole('button', { name: /comment/i }).click();
  await colleaguesItems.getByRole('textbox', { name: 'Write a comment' }).fill('Tightened');
  await colleaguesItems.getByRole('button', { name: 'Send comment' }).click();
  await expect(ownItem).toContainText('Tightened');

  // A change by another tab does not replace the text of an open form. Saving the form reports the conflict.
  const otherTab = await page.context().newPage();
  await lookAt(otherTab, 'scan.module', look);
  await openAnnotations(otherTab);
  const otherTabItem = findAnnotations(otherTab).filter({ hasText: `shared ${runName}` });
  await otherTabItem.getByRole('button', { name: 'Edit' }).click();
  const form = findAnnotations(otherTab).filter({ has: otherTab.getByRole('textbox', { name: 'Text', exact: true }) });
  await form.getByRole('textbox', { name: 'Text', exact: true }).fill(`edited ${runName}`);
  await ownItem.getByRole('button', { name: 'Reopen' }).click();
  await expect(colleaguesItems).toContainText('Open');
  await expect(form.getByRole('textbox', { name: 'Text', exact: true })).toHaveValue(`edited ${runName}`);
  await form.getByRole('button', { name: 'Save' }).click();
  await findAnnotations(otherTab).getByRole('button', { name: 'Keep mine' }).click();
  await expect(colleaguesItems).toContainText(`edited ${runName}`);
  await otherTab.close();

  const editedItem = findAnnotations(page).filter({ hasText: `edited ${runName}` });
  await editedItem.getByRole('switch', { name: 'Shared' }).click();
  await expect(colleaguesItems).toHaveCount(0);
  await expect(drawnLabels).toHaveCount(0);
  await editedItem.getByRole('switch', { name: 'Shared' }).click();
  await expect(colleaguesItems).toHaveCount(1);
  await editedItem.getByRole('button', { name: 'Delete' }).click();
  await expect(colleaguesItems).toHaveCount(0);
  expect(loadCount).toBe(0);
  await colleague.close();
});

test('[TOUR-22] shows a shared measurement and snapshot to a colleague without reloading', async ({
  page,
  browser,
}) => {
  await signIn(page, people.admin);
  const picture = await lookAt(page, 'scan.module', look);
  const colleague = await browser.newPage({ viewport: size, locale: 'en-GB' });
  await signIn(colleague, people.staff);
  await lookAt(colleague, 'vr.module', look);

  const bar = await chooseTool(page, 'Measure', 'Coordinates');
  await picture.click({ position: new PlantView(look, size).toPixel([-12.3, 7.75, 1.6]) });
  await bar.getByRole('button', { name: /^Show measurements/ }).click();
  const measurement = page.getByRole('complementary', { name: 'Measurements' }).getByRole('listitem').first();
  await measurement.getByRole('button', { name: 'Rename' }).click();
  await measurement.getByRole('textbox', { name: 'Name' }).fill(`point ${runName}`);
  await measurement.getByRole('textbox', { name: 'Name' }).press('Enter');
  await colleague.getByRole('button', { name: 'Measure', exact: true }).click();
  await colleague.getByRole('menuitem', { name: /^Show measurements/ }).click();
  const theirMeasurements = colleague.getByRole('complementary', { name: 'Measurements' }).getByRole('listitem');
  await measurement.getByRole('switch', { name: 'Shared' }).click();
  await expect(theirMeasurements.filter({ hasText: `point ${runName}` })).toBeVisible();
  await measurement.getByRole('button', { name: 'Delete' }).click();
  await expect(theirMeasurements.filter({ hasText: `point ${runName}` })).toHaveCount(0);
  await bar.getByRole('button', { name: 'Stop measuring' }).click();

  await colleague.getByRole('button', { name: 'Snapshot', exact: true }).click();
  await colleague.getByRole('menuitem', { name: /^Show snapshots/ }).click();
  await page.getByRole('button', { name: 'Snapshot', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Take a snapshot' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take a snapshot' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(`picture ${runName}`);
  await dialog.getByRole('switch', { name: /Shared/ }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const card = colleague
    .getByRole('complementary', { name: 'Snapshots' })
    .getByRole('listitem')
    .filter({ hasText: `picture ${runName}` });
  await expect(card.locator('img')).toHaveAttribute('src', /\/api\/files\/.+\/thumbnail\.jpg$/);
  await colleague.close();
});

test('[TOUR-22] sends no events to a person without access to the location', async () => {
  const call = async (method: string, path: string, body: object, token = ''): Promise<Response> =>
    fetch(getJourneyOrigin() + path, {
      method,
      headers: { 'content-type': 'application/json', 'x-token-transport': 'json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const fetchToken = async (username: string): Promise<string> => {
    const response = await call('POST', '/auth/pub/user/login', { username, password });
    return ((await response.json()) as { readonly accessToken: string }).accessToken;
  };
  const [admin, staff, visitor] = [
    await fetchToken(people.admin),
    await fetchToken(people.staff),
    await fetchToken(people.visitor),
  ];
  const streams = [
    await EventReader.connect(getJourneyOrigin(), staff),
    await EventReader.connect(getJourneyOrigin(), visitor),
  ];
  const share = async (location: string): Promise<string> => {
    const uid = randomUUID();
    const response = await call(
      'PUT',
      `/api/annotate/${location}/annotations/${uid}`,
      {
        kind: 'TEXT_LABEL',
        name: `hidden ${runName}`,
        text: '',
        temperature: null,
        status: 'OPEN',
        points: [{ point: [0, 0, 0], sigma: null, source: 'MODEL', edge: false }],
        tour: 'T',
        node: null,
        view: null,
        shared: true,
        version: 0,
      },
      admin,
    );
    expect(response.status).toBe(200);
    return uid;
  };
  // The visitor can access module M10, but not M20.
  const hiddenUid = await share('HB-M20');
  const visibleUid = await share('HB-M10');
  const receivedByStream = await Promise.all(
    streams.map(async (stream) => {
      await stream.waitFor(({ data }) => (data as { readonly uid?: string }).uid === visibleUid);
      return stream.events.map(({ data }) => (data as { readonly uid?: string }).uid).includes(hiddenUid);
    }),
  );
  expect(receivedByStream).toEqual([true, false]);
  await Promise.all(streams.map((stream) => stream.close()));
});
