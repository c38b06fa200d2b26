import { expect, test, type Locator, type Page } from '@playwright/test';
import { plant } from '../../cli/demo/plant/plant.ts';
import type { Point } from '../../cli/demo/plant/types.ts';
import { add, toDirection } from '../../cli/demo/plant/vector.ts';
import type { PageSize, Pixel } from '../measuring/camera-view.ts';
import { toUrl, people, signIn } from './people.ts';
import { PlantView } from './plant-view.ts';
import { waitForStableUrl } from './visit.ts';

const line = plant.lines.find(({ number }) => number.includes('PO-10011'))!;

type Device = 'mouse' | 'touch' | 'keyboard';

/** Tabs and arrow keys after which a control counts as unreachable. */
const maxKeys = 300;

/** CSS pixels between a point to measure and the edge of the pipe. */
const edgePx = 8;

/** Does the tasks of a person on site with one device, and counts the clicks or taps of each. */
class Visit {
  readonly page: Page;
  readonly #device: Device;
  readonly #size: PageSize;
  /** The unit vector from the node to the marker of the line. */
  markerDirection: Point = [0, 0, 0];
  #presses = 0;

  constructor(page: Page, device: Device, size: PageSize) {
    this.page = page;
    this.#device = device;
    this.#size = size;
  }

  async press(target: Locator): Promise<void> {
    this.#presses++;
    if (this.#device === 'touch') await target.tap();
    else if (this.#device === 'mouse') await target.click();
    else {
      await this.#focusByKeys(target);
      await this.page.keyboard.press('Enter');
    }
  }

  /** Adds a point on the pipe. Keys turn the view until the pipe is in the middle. */
  async pressPipe(picture: Locator): Promise<void> {
    this.#presses++;
    if (this.#device === 'touch') await picture.tap({ position: await this.#findPipe() });
    else if (this.#device === 'mouse') await picture.click({ position: await this.#findPipe() });
    else {
      await this.#turnToPipe();
      await this.page.keyboard.press('Enter');
    }
  }

  async #focusByKeys(target: Locator): Promise<void> {
    await expect(target).toBeVisible();
    for (let count = 0; count < maxKeys; count++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      const isInMenu = await this.page.evaluate(() => document.activeElement?.closest('[role=menu]') !== null);
      await this.page.keyboard.press(isInMenu ? 'ArrowDown' : 'Tab');
    }
    throw new Error(`${String(target)} cannot be reached by keys.`);
  }

  async #turnToPipe(): Promise<void> {
    await this.#focusByKeys(this.page.getByRole('application'));
    const { width, height } = this.#size;
    for (let count = 0; count < maxKeys; count++) {
      const view = await this.#readView();
      const middle = { x: Math.round(width / 2), y: Math.round(height / 2) };
      if (this.#isStraightPipe(view, middle)) {
        await waitForStableUrl(this.page);
        if (this.#isStraightPipe(await this.#readView(), middle)) return;
        continue;
      }
      const pipe = await this.#findPipe();
      const [x, y] = [pipe.x - middle.x, pipe.y - middle.y];
      const key = Math.abs(x) > Math.abs(y) ? (x > 0 ? 'ArrowRight' : 'ArrowLeft') : y > 0 ? 'ArrowDown' : 'ArrowUp';
      const urlBefore = this.page.url();
      await this.page.keyboard.press(key);
      await expect.poll(() => this.page.url()).not.toBe(urlBefore);
    }
    throw new Error('The view cannot be turned to the pipe by keys.');
  }

  /**
   * Waits until the view is at rest and returns it. At rest, the marker of the line is drawn where the view in the URL
   * projects it. If the marker is not visible, the URL must stay the same over several reads, because a turning view
   * changes it twice a second.
   */
  async #readView(): Promise<PlantView> {
    let url = '';
    let unchangedReads = 0;
    const marker = this.page.getByRole('application').getByRole('button', { name: `${line.number}, Produced oil` });
    let view: PlantView | undefined;
    await expect
      .poll(async () => {
        unchangedReads = url === (url = this.page.url()) ? unchangedReads + 1 : 0;
        const params = this.readParams();
        const read = (name: string): number => Number(params.get(name));
        const look = { node: params.get('node') ?? '', pan: read('pan'), tilt: read('tilt'), fov: read('fov') };
        view = new PlantView(look, this.#size);
        const eye = plant.nodes.find(({ code }) => code === look.node)?.position;
        const expected = view.toPixel(add(eye!, this.markerDirection));
        const box = await marker.boundingBox();
        if (!box) return unchangedReads < 4 ? Infinity : 0;
        return Math.hypot(box.x + box.width / 2 - expected.x, box.y + box.height / 2 - expected.y);
      })
      .toBeLessThan(40);
    return view!;
  }

  pressButton = (name: string | RegExp, container: Page | Locator = this.page): Promise<void> =>
    this.press(container.getByRole('button', { name, exact: true }));

  /** Checks that a task takes at most so many presses. */
  async expectPresses(count: number, task: string, work: () => Promise<void>): Promise<void> {
    this.#presses = 0;
    await test.step(task, work);
    expect(this.#presses, `presses to ${task}`).toBeLessThanOrEqual(count);
  }

  readParams = (): URLSearchParams => new URL(this.page.url()).searchParams;

  /** Whether the object at a pixel is the line, away from its edges and elbows. */
  #isStraightPipe(view: PlantView, { x, y }: Pixel): boolean {
    const { point } = view.findHit({ x, y });
    const isAtElbow = line.points.some(
      (elbow) => Math.hypot(...elbow.map((coordinate, axis) => coordinate - point[axis]!)) < 0.5,
    );
    const isAwayFromEdges = [-edgePx, 0, edgePx].every((across) =>
      [-edgePx, 0, edgePx].every((down) => view.findHit({ x: x + across, y: y + down }).id === line.id),
    );
    return isAwayFromEdges && !isAtElbow;
  }

  /** A pixel of the line in the current view, which no control covers. */
  async #findPipe(): Promise<Pixel> {
    const view = await this.#readView();
    for (const [index, start] of line.points.slice(0, -1).entries()) {
      const end = line.points[index + 1]!;
      for (const fraction of [0.5, 0.4, 0.6, 0.3, 0.7]) {
        const pixel = view.toPixel(
          [0, 1, 2].map((axis) => start[axis]! + fraction * (end[axis]! - start[axis]!)) as never,
        );
        const isFree = await this.page.evaluate(
          ({ x, y }) => document.elementFromPoint(x, y)?.closest('[role=application]') !== null,
          pixel,
        );
        const isInside = pixel.x > 0 && pixel.y > 0 && pixel.x < this.#size.width && pixel.y < this.#size.height;
        if (isInside && isFree && this.#isStraightPipe(view, pixel)) return pixel;
      }
    }
    throw new Error(`The line ${line.number} is not visible in the view ${this.page.url()}.`);
  }
}

const devices = [
  { device: 'mouse', title: 'with few clicks', size: { width: 1440, height: 900 } },
  { device: 'touch', title: 'with few taps', size: { width: 1024, height: 768 } },
  { device: 'keyboard', title: 'by keys alone', size: { width: 1440, height: 900 } },
] as const;

for (const { device, title, size } of devices) {
  test.describe(device, () => {
    test.use({ viewport: size, hasTouch: device === 'touch' });

    test(`[TOUR-02] [TOUR-05] [TOUR-08] does ten tasks ${title}`, async ({ page }) => {
      const problems: string[] = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) problems.push(message.text());
      });
      const visit = new Visit(page, device, size);
      await signIn(page, people.staff);
      await page.goto(toUrl('/console/home'));

      await visit.expectPresses(2, 'go to the unit', async () => {
        await visit.press(page.getByRole('link', { name: 'Halvorsen Bravo' }).first());
        await visit.press(page.getByRole('link', { name: 'Module M10' }).first());
        await expect(page.getByRole('application')).toBeVisible();
      });

      const panel = page.getByRole('complementary', { name: line.number });
      await visit.expectPresses(1, 'find the line and look at it', async () => {
        await visit.press(page.getByRole('combobox', { name: 'Tags, lines, viewpoints' }));
        await page.keyboard.type('po10011');
        await expect(page.getByRole('option', { name: new RegExp(line.number) }).first()).toBeVisible();
        const tag = page.waitForResponse((response) => /\/api\/tour\/[^/]+\/tags\/[^?]+$/.test(response.url()));
        await page.keyboard.press('Enter');
        const { pan, tilt } = (await (await tag).json()).seenFrom[0];
        visit.markerDirection = toDirection(pan, tilt);
        await expect(panel).toBeVisible();
      });

      const picture = page.getByTestId('annotate-overlay').locator('xpath=../..');
      await visit.expectPresses(2, 'measure the pipe', async () => {
        await visit.pressButton('Measure', panel);
        // `waitForRequest` would time out while the keys turn the view.
        const savedKinds: string[] = [];
        page.on('request', (request) => {
          if (request.url().includes('/measurements/') && request.method() === 'PUT')
            savedKinds.push((request.postDataJSON() as { readonly kind: string }).kind);
        });
        await visit.pressPipe(picture);
        await expect.poll(() => savedKinds).toEqual(['DIAMETER']);
        await expect(page.getByText(/^Ø\s2(?:18|19|20)\.\d.*NPS\s8$/).first()).toBeVisible();
      });
      await visit.expectPresses(3, 'mark a defect', async () => {
        await visit.pressButton('Annotate', panel);
        await visit.pressPipe(picture);
        await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused();
        await page.keyboard.type('Paint is off');
        await visit.pressButton('Save');
        await expect(page.getByText('Paint is off').first()).toBeVisible();
      });
      await visit.expectPresses(1, 'share the view', async () => {
        await visit.pressButton('Share this view');
        await expect(page.getByRole('textbox', { name: 'Link to this view' })).toHaveValue(/\/dashboard\/s\//);
        await page.keyboard.press('Escape');
      });

      const { node, pan, tilt } = Object.fromEntries(visit.readParams());
      const modules = page.getByRole('navigation', { name: 'Tour modules' });
      for (const [name, module] of [
        ['Scan', 'scan.module'],
        ['3D model', 'model-3d.module'],
      ] as const) {
        await visit.expectPresses(1, `see the same place in ${name}`, async () => {
          await visit.pressButton(name, modules);
          await expect.poll(() => Object.fromEntries(visit.readParams())).toMatchObject({ module, node, pan, tilt });
          await expect(picture.locator('canvas')).toBeVisible();
        });
      }
      await visit.expectPresses(2, 'compare two dates', async () => {
        await visit.pressButton('Panorama', modules);
        await visit.pressButton('Compare two dates');
        await expect(page.getByRole('slider', { name: /^Divider between/ })).toBeVisible();
      });
      await page.keyboard.press('Escape');
      await visit.expectPresses(3, 'save a snapshot as PDF', async () => {
        await visit.pressButton('Snapshot');
        await visit.press(page.getByRole('menuitem', { name: 'Take a snapshot' }));
        const dialog = page.getByRole('dialog', { name: 'Take a snapshot' });
        await expect(dialog.getByRole('img', { name: 'Preview' })).toBeVisible();
        await page.keyboard.type('Paint of the line');
        const download = page.waitForEvent('download');
        await visit.pressButton('Save with PDF sheet', dialog);
        expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
      });
      await visit.expectPresses(1, 'return to the units', async () => {
        await visit.pressButton('Back to the units');
        await expect(page.getByRole('heading', { level: 1, name: 'Halvorsen Bravo' })).toBeVisible();
      });
      expect(problems).toEqual([]);
    });
  });
}
