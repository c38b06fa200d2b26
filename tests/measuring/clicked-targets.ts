import type { Locator, Page } from 'playwright';
import type { MeasurementInput } from '#plugins/annotate';
import '../browser/gl-watch.ts';
import { maxIdleMs, waitInPage } from '../browser/waiting.ts';
import type { Repetition } from './measuring-page.ts';
import { summarizeOutcome, type Outcome } from './outcome.ts';
import type { Target, TargetKind, TargetSurface } from './plant-targets.ts';

/** The English names of the product's tools. */
const toolNames: Readonly<Record<TargetKind, string>> = { DISTANCE: 'Distance', ANGLE: 'Angle', DIAMETER: 'Diameter' };
/**
 * URL parameters of each surface. In the product, the picture of a node has ranges. The shader of cloud heights has the
 * eye position as a uniform.
 */
const moduleParams: Readonly<Record<TargetSurface, string>> = {
  bubble: 'module=scan.module&l.scan=PICTURE',
  cloud: 'module=scan.module&l.scan=CLOUD~HEIGHT',
  model: 'module=model-3d.module',
  panorama: 'module=vr.module',
};
const refusals = /There is nothing to measure|is not round|Too few points|Not a straight pipe|Too little of the pipe/;
/** Successive failures after which the cause is not the targets. */
const maxFailures = 3;

/**
 * Measures targets by real clicks in a signed-in page that `watchGl` watches. Deletes each measurement, so that the
 * next one does not snap to its points. Targets that could not be clicked count as refused.
 *
 * @param toUrl makes the URL of a screen
 * @throws Error if three successive targets could not be clicked
 */
export async function clickTargets(
  page: Page,
  targets: readonly Target[],
  toUrl: (screen: string) => string,
  log: (text: string) => void = () => undefined,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let open: { readonly surface: TargetSurface; readonly tool: TargetKind } | undefined;
  let failureCount = 0;
  for (const target of targets) {
    const repetitions: Repetition[] = [];
    try {
      if (open?.surface !== target.surface) await openModule(page, target, toUrl);
      if (open?.surface !== target.surface || open.tool !== target.kind)
        await chooseTool(page, open?.surface === target.surface ? open.tool : undefined, target.kind);
      open = { surface: target.surface, tool: target.kind };
      while (repetitions.length < (target.points[0]?.clicks.length ?? 0))
        repetitions.push(await measureOnce(page, target, repetitions.length));
      failureCount = 0;
    } catch (error) {
      open = undefined;
      failureCount += 1;
      if (failureCount === maxFailures)
        throw new Error(`${maxFailures} targets in a row could not be clicked.`, { cause: error });
      repetitions.push({
        refusal: `could not be clicked: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
      });
    }
    const outcome = summarizeOutcome(target, repetitions);
    outcomes.push(outcome);
    log(
      `  ${outcomes.length} of ${targets.length}: ${target.surface}, ${toolNames[target.kind]} from ${target.node}: ` +
        `${describeOutcome(outcome, repetitions)}`,
    );
  }
  return outcomes;
}

function describeOutcome(
  { target: { kind, truth }, value, refusal }: Outcome,
  repetitions: readonly Repetition[],
): string {
  const [factor, unit] = kind === 'ANGLE' ? [1, 'degrees'] : [1000, 'mm'];
  const formatFigure = (figure: number): string => (figure * factor).toFixed(2);
  const repetitionTexts = repetitions
    .map((repetition) => repetition.refusal ?? formatFigure(repetition.value))
    .join('; ');
  return value === undefined
    ? `${refusal} (${repetitionTexts}; described: ${formatFigure(truth)} ${unit})`
    : `${formatFigure(value)} ${unit}, off by ${formatFigure(value - truth)} (${repetitionTexts})`;
}

async function openModule(page: Page, target: Target, toUrl: (screen: string) => string): Promise<void> {
  await page.goto(toUrl(getScreenPath(target, 0)));
  await waitUntilDrawn(page, target, 0);
}

const findToolbar = (page: Page, kind: TargetKind): Locator =>
  page.getByRole('group', { name: toolNames[kind], exact: true });

/** Chooses the tool. Its button is named after the current kind of measurement. */
async function chooseTool(page: Page, previousKind: TargetKind | undefined, kind: TargetKind): Promise<void> {
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: previousKind ? toolNames[previousKind] : 'Measure', exact: true })
    .click();
  await page.getByRole('menuitemradio', { name: toolNames[kind], exact: true }).click();
  await findToolbar(page, kind).waitFor();
}

async function measureOnce(page: Page, target: Target, repetition: number): Promise<Repetition> {
  const bar = findToolbar(page, target.kind);
  const refusalStatus = bar.getByRole('status').filter({ hasText: refusals });
  const sentRequest = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().includes('/measurements/'),
    { timeout: 0 },
  );
  sentRequest.catch(() => undefined);
  for (const [index, { clicks }] of target.points.entries()) {
    const click = clicks[repetition];
    if (!click) throw new Error(`There is no click ${repetition}.`);
    await lookAt(page, target, index);
    await page.mouse.click(click.x, click.y);
    const pointCount = index + 1;
    // A distance may have more than two points, so its second point does not end it.
    if (pointCount === target.points.length && target.kind !== 'DISTANCE') break;
    const overlay = page.locator(`[data-testid="annotate-overlay"][data-points="${pointCount}"]`);
    await waitInPage(
      page,
      `point ${pointCount} to be taken`,
      overlay.or(refusalStatus).first().waitFor({ timeout: 0 }),
    );
    if (await refusalStatus.isVisible()) return discardPoints(page, bar, refusalStatus);
  }
  if (target.kind === 'DISTANCE') await bar.getByRole('button', { name: 'Finish' }).click();
  const refusedInTime = refusalStatus.waitFor({ timeout: maxIdleMs }).then(
    () => undefined,
    () => sentRequest,
  );
  const firstAnswer = Promise.race([sentRequest, refusedInTime]);
  const request = await waitInPage(page, `the ${target.kind.toLowerCase()} or its refusal`, firstAnswer);
  if (!request) return discardPoints(page, bar, refusalStatus);
  const { points, result } = request.postDataJSON() as MeasurementInput;
  const { nps, vertical } = result.details;
  const showButton = bar.getByRole('button', { name: /^Show measurements/ });
  if (await showButton.isVisible()) await showButton.click();
  const rows = page.getByRole('complementary', { name: 'Measurements' }).getByRole('listitem');
  // The panel's code may still be loading.
  await rows.first().waitFor();
  const count = await rows.count();
  await rows.first().getByRole('button', { name: 'Delete', exact: true }).click();
  await rows.nth(count - 1).waitFor({ state: 'detached' });
  return {
    value: result.value ?? Number.NaN,
    sigma: result.sigma,
    vertical: typeof vertical === 'number' ? vertical : undefined,
    nps: typeof nps === 'string' ? nps : undefined,
    points: points.map(({ point }) => point),
    sigmas: points.map((point) => point.sigma),
  };
}

/** Removes the points of this repetition. Otherwise they would become part of the next one. */
async function discardPoints(page: Page, bar: Locator, refusalStatus: Locator): Promise<Repetition> {
  const refusal = await refusalStatus.innerText();
  if (await bar.getByRole('button', { name: 'Undo point' }).isEnabled()) await page.keyboard.press('Escape');
  return { refusal };
}

/** Changes the view through the browser's history, without reloading. */
async function lookAt(page: Page, target: Target, index: number): Promise<void> {
  await page.evaluate(
    (newPath) => {
      history.pushState(null, '', `/dashboard${newPath}`);
      window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
    },
    getScreenPath(target, index),
  );
  await waitUntilDrawn(page, target, index);
}

/**
 * Waits until a target's surface is drawn from the target's view. Panoramas report no eye, because their camera is
 * fixed.
 */
async function waitUntilDrawn(page: Page, { surface, points }: Target, index: number): Promise<void> {
  const viewDrawn = page.waitForFunction(
    ([isFixed, look]) =>
      look !== undefined &&
      window.glWatch.listViews().some(({ pan, tilt, fov, eye }) => {
        if ((eye === undefined) !== isFixed) return false;
        const panDifference = Math.abs(((pan - look.pan + 540) % 360) - 180);
        // The model's origin is offset from the site frame by whole metres.
        const positionDifferences = (eye ?? [])
          .map((metres, axis) => metres - (look.eye[axis] ?? 0))
          .map((metres) => Math.abs(metres - Math.round(metres)));
        return (
          panDifference < 0.01 &&
          Math.abs(tilt - look.tilt) < 0.01 &&
          Math.abs(fov - look.fov) < 0.01 &&
          Math.max(0, ...positionDifferences) < 0.001
        );
      }),
    [surface === 'bubble' || surface === 'panorama', points[index]?.look] as const,
    { timeout: 0 },
  );
  await waitInPage(page, `the view of point ${index + 1} to be drawn in the ${surface}`, viewDrawn);
}

function getScreenPath({ node, surface, points }: Target, index: number): string {
  const look = points[index]?.look;
  if (!look) throw new Error(`The target has no point ${index}.`);
  const { eye, pan, tilt, fov } = look;
  return `/console/tour/HB-M10?v=1&${moduleParams[surface]}&node=${node}&pan=${pan}&tilt=${tilt}&fov=${fov}&pos=${eye.join(',')}`;
}
