import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { demoRoles } from '../../../core/server/auth/demo-accounts.ts';
import type { CustomerFile, CustomerFiles } from './customer-files.ts';
import { listPictures, type DocumentOfSite, type ModelOfSite, type PanoramaOfViewpoint } from './set-up-by-calls.ts';

const unit = 'HB-M10';
/** For uploading and processing a plan, a panorama or a model. */
const jobTimeoutMs = 300_000;

/** The steps that set up the demo plant in an empty product by its screens, as an admin does. */
export function listSteps(page: Page, origin: string, files: CustomerFiles): readonly Step[] {
  const dialog = page.getByRole('dialog');
  const open = (path: string) => page.goto(`${origin}/dashboard${path}`);

  async function createSite(): Promise<void> {
    await open('/console/home');
    await page
      .getByRole('link', { name: 'Start' })
      .or(page.getByRole('button', { name: 'Start' }))
      .first()
      .click();
    await dialog.getByLabel(/^Name/).fill('Halvorsen Bravo');
    await dialog.getByLabel(/^Code/).fill('HB');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByText(/Halvorsen Bravo was created/).first()).toBeVisible();
  }

  async function importKind(
    kind: string,
    workbook: CustomerFile,
    moreFiles: readonly CustomerFile[] = [],
  ): Promise<void> {
    await open('/admin/console/imports/new');
    await page.getByLabel('Kind').first().selectOption({ label: kind });
    // Further fields take the workbooks of kinds that follow.
    await page
      .getByTestId('file-input')
      .first()
      .setInputFiles([workbook, ...moreFiles].map(toUpload));
    await page.getByRole('button', { name: 'Upload and check' }).click();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const caution = page.getByRole('alertdialog');
    await caution.getByRole('radio', { name: 'I have a backup' }).check();
    await caution.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(page.getByText(/^The rows were imported/)).toBeVisible({ timeout: jobTimeoutMs });
  }

  async function createRoles(): Promise<void> {
    for (const { uid, name, flags, locations } of demoRoles.slice(1)) {
      await open('/admin/console/acl-roles?new=empty');
      await page.getByLabel(/^Role name/).fill(name);
      await page.getByLabel(/^Role ID/).fill(uid);
      await page.getByRole('tab', { name: 'Tools, Modules, Permits' }).click();
      // Features of plugins that the product does not have cannot be given.
      for (const label of flags.flatMap((flag) => flagLabels[flag] ?? []))
        await page.getByRole('checkbox', { name: label }).first().check();
      if (locations === 'everywhere') await page.getByRole('switch', { name: 'All locations' }).check();
      else await page.getByRole('checkbox', { name: /^Halvorsen Bravo/ }).check();
      await page.getByRole('button', { name: 'Create role' }).click();
      await expect(page.getByText(new RegExp(`${name}.* was created`)).first()).toBeVisible();
    }
  }

  async function placePlan({ deck, name, width, height, file, placement }: PlanOfDeck): Promise<void> {
    await open(`/admin/console/viewpoints?location=${unit}`);
    const card = page.getByRole('listitem').filter({ hasText: name }).filter({ hasText: deck }).first();
    await card.getByRole('button', { name: 'Plan…', exact: true }).click();
    await dialog.locator('input[type=file]').setInputFiles(toUpload(files.file(`plans/${file}`)));
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await expect(dialog).toBeHidden({ timeout: jobTimeoutMs });
    await card.getByRole('button', { name: 'Place plan…' }).click();
    await dialog.getByRole('tab', { name: 'By points' }).click();
    const canvas = dialog.getByRole('application');
    for (const [index, [x, y]] of placementPoints.entries()) {
      const box = (await canvas.boundingBox())!;
      // Browsers report clicks in whole pixels of the page.
      const click = [Math.round(box.x + x * box.width), Math.round(box.y + y * box.height)] as const;
      const [left, top] = [click[0] - box.x, click[1] - box.y];
      await page.mouse.click(...click);
      const [east, north] = [
        placement.x + (left / box.width - 0.5) * width * placement.scale,
        placement.y + (0.5 - top / box.height) * height * placement.scale,
      ];
      await dialog.getByLabel(`East of point ${index + 1} (m)`).fill(east.toFixed(3));
      await dialog.getByLabel(`North of point ${index + 1} (m)`).fill(north.toFixed(3));
    }
    await dialog.getByRole('button', { name: 'Save placement' }).click();
    await expect(dialog).toBeHidden();
  }

  async function uploadPanoramas(day: string, panoramas: readonly PanoramaOfViewpoint[]): Promise<void> {
    await open(`/admin/console/panoramas?location=${unit}`);
    await page.getByRole('button', { name: 'Upload panoramas' }).click();
    await dialog.locator('input[type=file]').setInputFiles(
      panoramas.map(({ viewpoint, picture }) => ({
        name: `${viewpoint}.jpg`,
        mimeType: 'image/jpeg',
        buffer: readFileSync(files.file(`panoramas/${picture}`).path),
      })),
    );
    await dialog.getByLabel(/^Captured on/).fill(day);
    await dialog.getByRole('button', { name: `Upload ${panoramas.length} files` }).click();
    await expect(dialog).toBeHidden({ timeout: jobTimeoutMs });
  }

  async function saveDocument({ code, title, location, revisions, tags }: DocumentOfSite): Promise<void> {
    await open(`/admin/console/tags?location=${location}&tab=documents`);
    await page.getByRole('button', { name: 'Add document' }).click();
    await dialog.getByLabel(/^Code/).fill(code);
    await dialog.getByLabel(/^Title/).fill(title);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: `Edit ${code}` }).click();
    for (const { revision, status, issuedOn, file, name } of revisions) {
      await dialog.first().getByRole('button', { name: 'Upload revision' }).click();
      const form = dialog.last();
      await form.getByLabel(/^Revision/).fill(revision);
      await chooseStatus(form, status);
      await form.getByLabel(/^Issued/).fill(issuedOn);
      await form.locator('input[type=file]').setInputFiles(toUpload({ ...files.file(`documents/${file}`), name }));
      await form.getByRole('button', { name: 'Upload' }).click();
      await expect(page.getByText(new RegExp(`Revision ${revision}`)).first()).toBeVisible({ timeout: jobTimeoutMs });
    }
    await page.keyboard.press('Escape');
    for (const number of tags) await linkDocument(number, code);
  }

  async function linkDocument(number: string, code: string): Promise<void> {
    await open(`/admin/console/tags?location=${unit}`);
    await page.getByLabel('Number or description').fill(number);
    const edit = page.getByRole('button', { name: `Edit ${number}`, exact: true });
    await page.getByRole('row').nth(1).hover();
    // Lines that name the tag in their description come first.
    await expect(async () => {
      await page.mouse.wheel(0, 400);
      expect(await edit.count()).toBe(1);
    }).toPass();
    await edit.click();
    await dialog.getByRole('combobox', { name: /document/i }).click();
    await page.keyboard.type(code);
    await page.getByRole('option', { name: new RegExp(code) }).click();
    await expect(page.getByText(/was linked/).first()).toBeVisible();
  }

  async function uploadModel({ name, location, file }: ModelOfSite): Promise<void> {
    await open(`/admin/console/models?location=${location}`);
    await page.getByRole('button', { name: 'Upload model' }).first().click();
    await dialog.locator('input[type=file]').setInputFiles(toUpload(files.file(`models/${file}`)));
    await dialog.getByLabel(/^Name of the model/).fill(name);
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
    await expect(dialog).toBeHidden({ timeout: jobTimeoutMs });
    await expect(page.getByText('Ready', { exact: true }).first()).toBeVisible({ timeout: jobTimeoutMs });
  }

  const toStep = (title: string, kind: string): Step => [title, () => importKind(title, files.workbook(kind))];
  const panoramas = files.json<readonly PanoramaOfViewpoint[]>('panoramas/panoramas.json');
  const days = [...new Set(panoramas.map(({ capturedAt }) => capturedAt.slice(0, 10)))];
  return [
    ['the site', createSite],
    [
      'locations',
      () => importKind('Primary Location & Hotspots', files.workbook('locations.locations'), listPictures(files)),
    ],
    ['roles', createRoles],
    toStep('Static masters', 'masters.masters'),
    toStep('Tour & Tags', 'tour.tags'),
    ...files
      .json<readonly PlanOfDeck[]>('plans/plans.json')
      .map((plan): Step => [`plan ${plan.deck}`, () => placePlan({ ...plan, name: deckNames[plan.deck] ?? '' })]),
    ...days.map((day): Step => [
      `panoramas of ${day}`,
      () =>
        uploadPanoramas(
          day,
          panoramas.filter(({ capturedAt }) => capturedAt.startsWith(day)),
        ),
    ]),
    ...files
      .json<readonly DocumentOfSite[]>('documents/documents.json')
      .map((document): Step => [`document ${document.code}`, () => saveDocument(document)]),
    ...files
      .json<readonly ModelOfSite[]>('models/models.json')
      .map((model): Step => [`model ${model.name}`, () => uploadModel(model)]),
    toStep('3D mapping', 'model-3d.mapping'),
    toStep('HAC zones', 'permits.hac'),
    toStep('H2S zones', 'permits.h2s'),
    toStep('Permits', 'permits.permits'),
    toStep('Expense estimation', 'expense.expense'),
    toStep('Contact details', 'media.contacts'),
    toStep('Users', 'users.users'),
  ];
}

/** A named step that an admin does on the screens. */
export type Step = readonly [name: string, work: () => Promise<void>];

interface PlanOfDeck {
  readonly deck: string;
  readonly name: string;
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly placement: { readonly x: number; readonly y: number; readonly scale: number };
}

const deckNames: Readonly<Record<string, string>> = { PROCESS: 'Process deck', UPPER: 'Upper deck' };
const placementPoints = [
  [0.2, 0.25],
  [0.8, 0.3],
  [0.5, 0.8],
] as const;
const flagLabels: Readonly<Record<string, RegExp>> = {
  permitAccess: /^Permits/,
  vrAccess: /^VR/,
  scanAccess: /^Scan/,
  threeDimensionalAccess: /^3D/,
};

const mediaTypes: Readonly<Record<string, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
  glb: 'model/gltf-binary',
};
const toUpload = ({ name, path }: CustomerFile) => ({
  name,
  mimeType: mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
  buffer: readFileSync(path),
});

async function chooseStatus(form: Locator, status: string): Promise<void> {
  const field = form.getByLabel(/^Status/);
  if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption(status);
  else await field.fill(status);
}
