import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { json } from 'node:stream/consumers';
import { expect, test, type Page } from '@playwright/test';
import sharp from 'sharp';
import { fromBufferPromise } from 'yauzl';
import { answerTourForms } from './answer-tour-forms.ts';
import { getJourneyOrigin, people, signIn, toUrl } from './people.ts';

/** Each browser has a site of its own, because all use one database. */
const site = `OWN-${process.env['TEST_PARALLEL_INDEX'] ?? 0}`;
const [unit, level] = [`${site}-U`, `${site}-U-L`];

/** A plan of 40 x 20 m at 20 pixels per metre. Its upper edge points 60 degrees from north. */
const plan = { width: 800, height: 400, scale: 0.05, heading: 60, centre: [1500.5, -220.25] } as const;
/** The site coordinates of a point, in fractions of the plan. */
function toSite(x: number, y: number): readonly [east: number, north: number] {
  const [sin, cos] = [Math.sin((plan.heading * Math.PI) / 180), Math.cos((plan.heading * Math.PI) / 180)];
  const [right, up] = [(x - 0.5) * plan.width * plan.scale, (0.5 - y) * plan.height * plan.scale];
  return [plan.centre[0] + right * cos + up * sin, plan.centre[1] - right * sin + up * cos];
}

const drawImage = (width: number, height: number, text: string, format: 'png' | 'jpeg'): Promise<Buffer> => {
  const colour = `#${createHash('sha256').update(text).digest('hex').slice(0, 6)}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#dde3ea"/><rect x="5%" y="10%" width="90%" height="80%" fill="${colour}"/></svg>`;
  return sharp(Buffer.from(svg)).toFormat(format).toBuffer();
};

const findLastChange = (page: Page, text: string | RegExp) => page.getByText(text).first();
const findDialog = (page: Page) => page.getByRole('dialog');

/** The JSON files of an exported site, by their paths. */
async function readExport(file: string): Promise<Readonly<Record<string, unknown>>> {
  const contents: Record<string, unknown> = {};
  const zip = await fromBufferPromise(await readFile(file));
  for await (const entry of zip.eachEntry())
    if (entry.fileName.endsWith('.json')) contents[entry.fileName] = await json(await zip.openReadStreamPromise(entry));
  return contents;
}

test('[DAT-02] sets up a tour of a new deck: plan, viewpoints, links and panoramas, and walks through it', async ({
  page,
}) => {
  const images = Object.fromEntries(
    await Promise.all(
      ['N1', 'N2', 'N3', 'pano-0004'].map(async (code) => [code, await drawImage(2048, 1024, code, 'jpeg')] as const),
    ),
  );
  await signIn(page, people.admin);

  await test.step('a site with a unit and a level', async () => {
    await page.goto(toUrl('/admin/console/sites'));
    for (const [button, name, type, code] of [
      ['Add site', `Own site ${site}`, undefined, site],
      ['Add below', `Own unit ${site}`, 'PLATFORM_UNIT', unit],
      ['Add below', 'Own level', 'LOC_LEVEL', level],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).first().click();
      await findDialog(page).getByLabel(/^Name/).fill(name);
      if (type !== undefined) await findDialog(page).getByLabel(/^Type/).selectOption(type);
      await findDialog(page).getByLabel(/^Code/).fill(code);
      await findDialog(page).getByRole('button', { name: 'Create' }).click();
      await expect(page.getByRole('heading', { name })).toBeVisible();
    }
  });

  await page.goto(toUrl(`/admin/console/viewpoints?location=${unit}`));

  await test.step('a deck with its plan, placed by three points', async () => {
    await page.getByRole('button', { name: 'Add a deck' }).first().click();
    await findDialog(page)
      .getByLabel(/^Elevation/)
      .fill('12.5');
    await findDialog(page).getByRole('button', { name: 'Create' }).click();
    await expect(findLastChange(page, /The deck .* was created/)).toBeVisible();

    await page.getByRole('button', { name: 'Plan…', exact: true }).click();
    const image = await drawImage(plan.width, plan.height, 'plan', 'png');
    await findDialog(page)
      .locator('input[type=file]')
      .setInputFiles({ name: 'deck.png', mimeType: 'image/png', buffer: image });
    await findDialog(page).getByRole('button', { name: 'Upload' }).click();
    await expect(findLastChange(page, /The plan of .* was changed/)).toBeVisible();

    await page.getByRole('button', { name: 'Place plan…' }).click();
    await findDialog(page).getByRole('tab', { name: 'By points' }).click();
    const canvas = findDialog(page).getByRole('application');
    const marks = [
      [0.25, 0.25],
      [0.75, 0.3],
      [0.5, 0.75],
    ] as const;
    for (const [index, [x, y]] of marks.entries()) {
      const box = (await canvas.boundingBox())!;
      await canvas.click({ position: { x: Math.round(x * box.width), y: Math.round(y * box.height) } });
      const [east, north] = toSite(Math.round(x * box.width) / box.width, Math.round(y * box.height) / box.height);
      await findDialog(page)
        .getByLabel(`East of point ${index + 1} (m)`)
        .fill(east.toFixed(3));
      await findDialog(page)
        .getByLabel(`North of point ${index + 1} (m)`)
        .fill(north.toFixed(3));
    }
    await expect(findDialog(page).getByText(/^(59\.\d|60\.0|60\.\d)°$/)).toBeVisible();
    await findDialog(page).getByRole('button', { name: 'Save placement' }).click();
    await expect(findLastChange(page, /The plan of .* was placed/)).toBeVisible();
  });

  await test.step('a tour with three viewpoints on the plan, of which one is moved and moved back', async () => {
    await page.getByRole('button', { name: 'Create a tour' }).first().click();
    await findDialog(page).getByRole('button', { name: 'Create' }).click();
    await expect(findLastChange(page, /The tour .* was created/)).toBeVisible();
    await page.getByRole('button', { name: 'Add by click' }).click();
    const canvas = page.getByRole('application', { name: /^Plan with viewpoints/ });
    for (const [x, y] of [
      [0.35, 0.5],
      [0.5, 0.5],
      [0.65, 0.5],
    ] as const) {
      const box = (await canvas.boundingBox())!;
      await canvas.click({ position: { x: x * box.width, y: y * box.height } });
      await findDialog(page).getByRole('button', { name: 'Create' }).click();
      await expect(findDialog(page)).toBeHidden();
    }
    await expect(page.getByRole('checkbox', { name: /^Select N3$/ })).toBeVisible();
    await page.getByRole('checkbox', { name: /^Select N3$/ }).check();
    await canvas.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await expect(findLastChange(page, /was moved/)).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect(findLastChange(page, /The move of .* was undone/)).toBeVisible();
  });

  await test.step('a viewpoint from a file of poses', async () => {
    const [east, north] = toSite(0.47, 0.3);
    await page.getByRole('button', { name: 'From a file…' }).click();
    const text = `filename;x;y;z;heading\npano_0004.jpg;${east};${north};14.1;60\n`;
    await findDialog(page)
      .locator('input[type=file]')
      .setInputFiles({ name: 'poses.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await findDialog(page).getByRole('button', { name: 'Add 1 viewpoint' }).click();
    await expect(page.getByRole('checkbox', { name: 'Select pano-0004' })).toBeVisible();
  });

  await test.step('links that are proposed', async () => {
    await page.getByRole('button', { name: 'Propose links' }).click();
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByRole('button', { name: 'Save 4 links' }).click();
    await expect(findLastChange(page, /4 links were saved/)).toBeVisible();
  });

  await test.step('a panorama of each viewpoint, matched by its name', async () => {
    await page.goto(toUrl(`/admin/console/panoramas?location=${unit}`));
    await page.getByRole('button', { name: 'Upload panoramas' }).click();
    await findDialog(page)
      .locator('input[type=file]')
      .setInputFiles(
        Object.entries(images).map(([viewpoint, buffer]) => ({
          name: `${viewpoint.replace('-', '_')}.jpg`,
          mimeType: 'image/jpeg',
          buffer,
        })),
      );
    await findDialog(page)
      .getByLabel(/^Captured on/)
      .fill('2026-03-01');
    await findDialog(page).getByRole('button', { name: 'Upload 4 files' }).click();
    await expect(findDialog(page)).toBeHidden();
    await expect(page.getByText('no panorama yet')).toHaveCount(0, { timeout: 60_000 });
  });

  await test.step('a visit', async () => {
    await answerTourForms(getJourneyOrigin(), unit, [people.admin]);
    await page.goto(toUrl(`/console/tour/${unit}`));
    await page.getByRole('region', { name: 'Map of Own level' }).getByRole('button', { name: 'Viewpoint N2' }).click();
    await expect(page).toHaveURL(/node=N2/);
    // N1 is 330 degrees from N2, because the plan is rotated.
    await page.getByRole('button', { name: /^Go to Viewpoint N1/ }).click();
    await expect(page).toHaveURL(/node=N1/);
  });

  await test.step('an export that holds what was set up', async () => {
    await page.goto(toUrl(`/admin/console/imports/site-export?site=${site}`));
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: /^Download/ })
        .first()
        .click(),
    ]);
    const exportedFiles = await readExport(await download.path());
    expect(exportedFiles['plans/plans.json']).toEqual([
      expect.objectContaining({
        placement: {
          x: expect.closeTo(plan.centre[0], 1),
          y: expect.closeTo(plan.centre[1], 1),
          scale: expect.closeTo(plan.scale, 3),
          heading: expect.closeTo(plan.heading, 1),
        },
      }),
    ]);
    expect(exportedFiles['panoramas/panoramas.json']).toEqual(
      Object.keys(images).map((viewpoint) =>
        expect.objectContaining({ viewpoint, heading: viewpoint === 'pano-0004' ? plan.heading : 0 }),
      ),
    );
    expect(exportedFiles['manifest.json']).toEqual(
      expect.objectContaining({
        files: expect.arrayContaining(
          Object.entries(images).map(([viewpoint, image]) =>
            expect.objectContaining({
              path: `panoramas/${viewpoint}/2026-03-01.jpg`,
              sha256: createHash('sha256').update(image).digest('hex'),
            }),
          ),
        ),
      }),
    );
  });
});
