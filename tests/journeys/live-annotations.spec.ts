import { randomUUID } from 'node:crypto';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { EventReader } from '../../core/testing/server/event-reader.ts';
import { journeyAddress, password, people, signIn } from './people.ts';
import { chooseTool, lookAt, PlantView, type PlantLook } from './plant-view.ts';

const size = { width: 1440, height: 900 };
test.use({ viewport: size });

const look: PlantLook = { node: 'HB-P09', pan: 15, tilt: 3, fov: 60 };
/** Unique for each run: a running server may have the annotations of earlier runs. */
const mark = `bolt ${Date.now() % 100_000}`;

const annotationsIn = (page: Page): Locator =>
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
  await expect(annotationsIn(page).filter({ hasText: text })).toBeVisible();
}

test("[TOUR-22] shows a person's shared, changed, commented and deleted annotations to others without reloading", async ({
  page,
  browser,
}) => {
  await signIn(page, people.admin);
  const picture = await lookAt(page, 'scan.module', look);
  await openAnnotations(page);
  const colleague = await browser.newPage({ viewport: size, locale: 'en-GB' });
  await signIn(colleague, people.staff);
  await lookAt(colleague, 'vr.module', look);
  await openAnnotations(colleague);
  let loads = 0;
  colleague.on('load', () => (loads += 1));
  const theirs = annotationsIn(colleague).filter({ hasText: mark });
  const drawn = colleague.getByTestId('annotation-overlay').locator('[data-kind=TEXT_LABEL]');

  await addLabel(page, picture, `private ${mark}`, false);
  await addLabel(page, picture, `shared ${mark}`, true);
  await expect(theirs).toHaveText(new RegExp(`shared ${mark}`));
  await expect(drawn).toHaveCount(1);

  const own = annotationsIn(page).filter({ hasText: `shared ${mark}` });
  await own.getByRole('button', { name: 'Mark as done' }).click();
  await expect(theirs).toContainText('Done');

  await theirs.getByRole('button', { name: /comment/i }).click();
  await theirs.getByRole('textbox', { name: 'Write a comment' }).fill('Tightened');
  await theirs.getByRole('button', { name: 'Send comment' }).click();
  await expect(own).toContainText('Tightened');

  // An open edit is not replaced; saving it reports the conflict.
  const second = await page.context().newPage();
  await lookAt(second, 'scan.module', look);
  await openAnnotations(second);
  const elsewhere = annotationsIn(second).filter({ hasText: `shared ${mark}` });
  await elsewhere.getByRole('button', { name: 'Edit' }).click();
  const form = annotationsIn(second).filter({ has: second.getByRole('textbox', { name: 'Text', exact: true }) });
  await form.getByRole('textbox', { name: 'Text', exact: true }).fill(`edited ${mark}`);
  await own.getByRole('button', { name: 'Reopen' }).click();
  await expect(theirs).toContainText('Open');
  await expect(form.getByRole('textbox', { name: 'Text', exact: true })).toHaveValue(`edited ${mark}`);
  await form.getByRole('button', { name: 'Save' }).click();
  await annotationsIn(second).getByRole('button', { name: 'Keep mine' }).click();
  await expect(theirs).toContainText(`edited ${mark}`);
  await second.close();

  const edited = annotationsIn(page).filter({ hasText: `edited ${mark}` });
  await edited.getByRole('switch', { name: 'Shared' }).click();
  await expect(theirs).toHaveCount(0);
  await expect(drawn).toHaveCount(0);
  await edited.getByRole('switch', { name: 'Shared' }).click();
  await expect(theirs).toHaveCount(1);
  await edited.getByRole('button', { name: 'Delete' }).click();
  await expect(theirs).toHaveCount(0);
  expect(loads).toBe(0);
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
  await measurement.getByRole('textbox', { name: 'Name' }).fill(`point ${mark}`);
  await measurement.getByRole('textbox', { name: 'Name' }).press('Enter');
  await colleague.getByRole('button', { name: 'Measure', exact: true }).click();
  await colleague.getByRole('menuitem', { name: /^Show measurements/ }).click();
  const theirMeasurements = colleague.getByRole('complementary', { name: 'Measurements' }).getByRole('listitem');
  await measurement.getByRole('switch', { name: 'Shared' }).click();
  await expect(theirMeasurements.filter({ hasText: `point ${mark}` })).toBeVisible();
  await measurement.getByRole('button', { name: 'Delete' }).click();
  await expect(theirMeasurements.filter({ hasText: `point ${mark}` })).toHaveCount(0);
  await bar.getByRole('button', { name: 'Stop measuring' }).click();

  await colleague.getByRole('button', { name: 'Snapshot', exact: true }).click();
  await colleague.getByRole('menuitem', { name: /^Show snapshots/ }).click();
  await page.getByRole('button', { name: 'Snapshot', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Take a snapshot' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take a snapshot' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(`picture ${mark}`);
  await dialog.getByRole('switch', { name: /Shared/ }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  const card = colleague
    .getByRole('complementary', { name: 'Snapshots' })
    .getByRole('listitem')
    .filter({ hasText: `picture ${mark}` });
  await expect(card.locator('img')).toHaveAttribute('src', /\/api\/files\/.+\/thumbnail\.jpg$/);
  await colleague.close();
});

test('[TOUR-22] sends no events to a person without access to the location', async () => {
  const call = async (method: string, address: string, body: object, token = ''): Promise<Response> =>
    fetch(journeyAddress() + address, {
      method,
      headers: { 'content-type': 'application/json', 'x-token-transport': 'json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const fetchToken = async (username: string): Promise<string> => {
    const answer = await call('POST', '/auth/pub/user/login', { username, password });
    return ((await answer.json()) as { readonly accessToken: string }).accessToken;
  };
  const [admin, staff, visitor] = [
    await fetchToken(people.admin),
    await fetchToken(people.staff),
    await fetchToken(people.visitor),
  ];
  const streams = [
    await EventReader.connect(journeyAddress(), staff),
    await EventReader.connect(journeyAddress(), visitor),
  ];
  const share = async (location: string): Promise<string> => {
    const uid = randomUUID();
    const answer = await call(
      'PUT',
      `/api/annotate/${location}/annotations/${uid}`,
      {
        kind: 'TEXT_LABEL',
        name: `hidden ${mark}`,
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
    expect(answer.status).toBe(200);
    return uid;
  };
  // The visitor can access module M10, but not M20.
  const hidden = await share('HB-M20');
  const seen = await share('HB-M10');
  const received = await Promise.all(
    streams.map(async (stream) => {
      await stream.waitFor(({ data }) => (data as { readonly uid?: string }).uid === seen);
      return stream.events.map(({ data }) => (data as { readonly uid?: string }).uid).includes(hidden);
    }),
  );
  expect(received).toEqual([true, false]);
  await Promise.all(streams.map((stream) => stream.close()));
});
