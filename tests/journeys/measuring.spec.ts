import { expect, test } from '@playwright/test';
import { clickTargets } from '../measuring/clicked-targets.ts';
import { drawTargets } from '../measuring/plant-targets.ts';
import { watchGl } from '../browser/gl-watch.ts';
import { at, people, signIn } from './people.ts';
import { chooseTool, lookAt, PlantView, type PlantLook } from './plant-view.ts';

const size = { width: 1440, height: 900 };
test.use({ viewport: size });

/** The north aisle, in front of the sign of test separator V-1002. */
const atSign: PlantLook = { node: 'HB-P09', pan: 15, tilt: 3, fov: 60 };

test('[TOUR-08] measures a distance of the plant by real clicks', async ({ page }) => {
  const sign = new PlantView(atSign, size);
  const [from, to] = [sign.toPixel([-9.9, 7.67, 1.85]), sign.toPixel([-8.9, 7.67, 2.1])];
  const [a, b] = [sign.hit(from).point, sign.hit(to).point];
  const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

  await signIn(page, people.admin);
  const picture = await lookAt(page, 'scan.module', atSign);
  const list = page.getByRole('complementary', { name: 'Measurements' });
  /** The newest value in metres; the list starts with it. */
  const readFigure = async (kind: string): Promise<number> => {
    const row = list.getByRole('listitem').first();
    await expect(row.getByRole('button', { name: new RegExp(`^${kind} \\d+$`) })).toBeVisible();
    return Number(/([\d.,]+)(?:\s±\s[\d.]+)?\sm/.exec(await row.locator('p').first().innerText())?.[1]);
  };
  const distanceBar = await chooseTool(page, 'Measure', 'Distance');
  await picture.click({ position: from });
  await expect(distanceBar.getByRole('button', { name: 'Undo point' })).toBeEnabled();
  await picture.click({ position: to });
  await distanceBar.getByRole('button', { name: 'Finish' }).click();
  await distanceBar.getByRole('button', { name: /^Show measurements/ }).click();
  expect(Math.abs((await readFigure('Distance')) - distance), 'metres off').toBeLessThan(0.008);
});

test('[TOUR-08] measures a diameter, a distance and an angle of the plant by real clicks in panorama, cloud and model', async ({
  page,
}) => {
  const none = { DISTANCE: 0, ANGLE: 0, DIAMETER: 0 };
  const drawn = drawTargets({
    seed: 5,
    size,
    counts: {
      bubble: { ...none, DIAMETER: 4 },
      cloud: { ...none, DISTANCE: 1, DIAMETER: 4 },
      model: { ...none, ANGLE: 1 },
    },
    nodes: ['HB-P09'],
    repetitions: 3,
  });
  // The thickest pipe.
  const thickest = ['bubble', 'cloud'].map(
    (surface) =>
      drawn
        .filter((target) => target.surface === surface && target.kind === 'DIAMETER')
        .toSorted((a, b) => b.truth - a.truth)[0],
  );
  const targets = drawn.filter((target) => target.kind !== 'DIAMETER' || thickest.includes(target));
  await watchGl(page);
  await signIn(page, people.admin);
  const outcomes = await clickTargets(page, targets, at);
  expect(outcomes.map(({ target }) => `${target.surface} ${target.kind}`)).toEqual([
    'bubble DIAMETER',
    'cloud DISTANCE',
    'cloud DIAMETER',
    'model ANGLE',
  ]);
  for (const { target, value, refusal } of outcomes) {
    // Medians of three clicks, as in `npm run bench`, which tests many targets. Degrees or metres.
    const most = target.kind === 'ANGLE' ? 0.3 : target.kind === 'DISTANCE' ? 0.03 : 0.01;
    expect
      .soft(
        Math.abs((value ?? Number.NaN) - target.truth),
        `${target.surface}, ${target.kind}: ${value ?? refusal} for ${target.truth}`,
      )
      .toBeLessThan(most);
  }
});
