import { expect, test } from '@playwright/test';
import { clickTargets } from '../measuring/clicked-targets.ts';
import { chooseTargets } from '../measuring/plant-targets.ts';
import { watchGl } from '../browser/gl-watch.ts';
import { toUrl, people, signIn } from './people.ts';
import { chooseTool, lookAt, PlantView, type NodeView } from './plant-view.ts';

const size = { width: 1440, height: 900 };
test.use({ viewport: size });

/** A view from the north aisle to the sign of test separator V-1002. */
const signView: NodeView = { node: 'HB-P09', pan: 15, tilt: 3, fov: 60 };

test('[TOUR-08] measures a distance of the plant by real clicks', async ({ page }) => {
  const plantView = new PlantView(signView, size);
  const [startPixel, endPixel] = [plantView.toPixel([-9.9, 7.67, 1.85]), plantView.toPixel([-8.9, 7.67, 2.1])];
  const [a, b] = [plantView.findHit(startPixel).point, plantView.findHit(endPixel).point];
  const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

  await signIn(page, people.admin);
  const picture = await lookAt(page, 'scan.module', signView);
  const list = page.getByRole('complementary', { name: 'Measurements' });
  /** Reads the newest value in metres, which is the first of the list. */
  const readFigure = async (kind: string): Promise<number> => {
    const row = list.getByRole('listitem').first();
    await expect(row.getByRole('button', { name: new RegExp(`^${kind} \\d+$`) })).toBeVisible();
    return Number(/([\d.,]+)(?:\s±\s[\d.]+)?\sm/.exec(await row.locator('p').first().innerText())?.[1]);
  };
  const distanceBar = await chooseTool(page, 'Measure', 'Distance');
  await picture.click({ position: startPixel });
  await expect(distanceBar.getByRole('button', { name: 'Undo point' })).toBeEnabled();
  await picture.click({ position: endPixel });
  await distanceBar.getByRole('button', { name: 'Finish' }).click();
  await distanceBar.getByRole('button', { name: /^Show measurements/ }).click();
  expect(Math.abs((await readFigure('Distance')) - distance), 'metres off').toBeLessThan(0.008);
});

test('[TOUR-08] [TOUR-21] measures a diameter, a distance and an angle of the plant by real clicks in panorama, scan, cloud and model', async ({
  page,
}) => {
  const noTargets = { DISTANCE: 0, ANGLE: 0, DIAMETER: 0 };
  const allTargets = chooseTargets({
    seed: 5,
    size,
    counts: {
      bubble: { ...noTargets, DIAMETER: 4 },
      cloud: { ...noTargets, DISTANCE: 1, DIAMETER: 4 },
      model: { ...noTargets, ANGLE: 1 },
      panorama: { ...noTargets, DIAMETER: 4 },
    },
    nodes: ['HB-P09'],
    repetitions: 3,
  });
  // Measures only the thickest pipe of each module.
  const thickest = ['bubble', 'cloud', 'panorama'].map(
    (surface) =>
      allTargets
        .filter((target) => target.surface === surface && target.kind === 'DIAMETER')
        .toSorted((a, b) => b.truth - a.truth)[0],
  );
  const targets = allTargets.filter((target) => target.kind !== 'DIAMETER' || thickest.includes(target));
  await watchGl(page);
  await signIn(page, people.admin);
  const outcomes = await clickTargets(page, targets, toUrl);
  expect(outcomes.map(({ target }) => `${target.surface} ${target.kind}`)).toEqual([
    'bubble DIAMETER',
    'cloud DISTANCE',
    'cloud DIAMETER',
    'model ANGLE',
    'panorama DIAMETER',
  ]);
  for (const { target, value, refusal } of outcomes) {
    // The limits in degrees or metres are those of `npm run bench`, which measures many targets.
    const maxError = target.kind === 'ANGLE' ? 0.3 : target.kind === 'DISTANCE' ? 0.03 : 0.01;
    expect
      .soft(
        Math.abs((value ?? Number.NaN) - target.truth),
        `${target.surface}, ${target.kind}: ${value ?? refusal} for ${target.truth}`,
      )
      .toBeLessThan(maxError);
  }
});
