import { expect, type Locator, type Page } from '@playwright/test';
import { createMesh } from '../../cli/demo/geometry/plant-mesh.ts';
import { PlantRays, type RayHit } from '../../cli/demo/geometry/plant-rays.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import type { Point } from '../../cli/demo/plant/types.ts';
import { CameraView, type PageSize, type Pixel } from '../measuring/camera-view.ts';
import { toUrl } from './people.ts';

export interface NodeView {
  /** Code of the node. */
  readonly node: string;
  /** Angles in degrees. `fov` is vertical. */
  readonly pan: number;
  readonly tilt: number;
  readonly fov: number;
}

let cachedRays: PlantRays | undefined;
/** Created once per process: the mesh and its search tree take a second of CPU time. */
const getRays = (): PlantRays => (cachedRays ??= new PlantRays(createMesh(plant.parts).mesh));

/** A view of the demo plant, computed from its description. Finds the object at a pixel and the pixel of a point. */
export class PlantView {
  readonly #eye: Point;
  readonly #view: CameraView;

  constructor({ node: code, ...look }: NodeView, size: PageSize) {
    const node = plant.nodes.find((candidate) => candidate.code === code);
    if (!node) throw new Error(`The demo plant has no node ${code}.`);
    this.#eye = node.position;
    this.#view = new CameraView({ eye: node.position, ...look }, size);
  }

  toPixel(point: Point): Pixel {
    const { x, y } = this.#view.toPixel(point);
    return { x: Math.round(x), y: Math.round(y) };
  }

  /** Finds the object at a pixel. */
  findHit(pixel: Pixel): RayHit {
    const hit = getRays().findHit(this.#eye, this.#view.computeRay(pixel));
    if (!hit) throw new Error(`The plant has no object at the pixel ${pixel.x}, ${pixel.y}.`);
    return hit;
  }
}

/** Opens a tour module at a view and waits until it is ready for input. */
export async function lookAt(
  page: Page,
  module: string,
  { node, pan, tilt, fov }: NodeView,
  layers = '',
): Promise<Locator> {
  const [x, y, z] = plant.nodes.find(({ code }) => code === node)?.position ?? [0, 0, 0];
  await page.goto(
    toUrl(
      `/console/tour/HB-M10?v=1&module=${module}&node=${node}&pan=${pan}&tilt=${tilt}&fov=${fov}&pos=${x},${y},${z}${layers}`,
    ),
  );
  await expect(page.getByRole('button', { name: 'Measure' })).toBeVisible();
  const picture = page.getByTestId('annotate-overlay').locator('xpath=../..');
  await expect(picture.locator('canvas')).toBeVisible();
  return picture;
}

/** Chooses an option of a toolbar button. */
export async function chooseTool(page: Page, tool: string, kind: string): Promise<Locator> {
  await page.getByRole('button', { name: tool, exact: true }).click();
  await page.getByRole('menuitemradio', { name: kind, exact: true }).click();
  return page.getByRole('group', { name: kind, exact: true });
}
