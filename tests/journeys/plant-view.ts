import { expect, type Locator, type Page } from '@playwright/test';
import { meshOf } from '../../cli/demo/geometry/plant-mesh.ts';
import { PlantRays, type RayHit } from '../../cli/demo/geometry/plant-rays.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import type { Point } from '../../cli/demo/plant/types.ts';
import { add, cross, dot, normalise, scale, subtract } from '../../cli/demo/plant/vector.ts';
import { at } from './people.ts';

export interface PlantLook {
  /** Code of the node. */
  readonly node: string;
  /** Degrees; `fov` vertical. */
  readonly pan: number;
  readonly tilt: number;
  readonly fov: number;
}

/** A look at the demo plant as its description has it: what a pixel shows, and where a point of the plant is on the page. */
export class PlantView {
  readonly #eye: Point;
  readonly #forward: Point;
  readonly #right: Point;
  readonly #up: Point;
  readonly #size: { readonly width: number; readonly height: number };
  /** Pixels that stand for one unit of depth. */
  readonly #focal: number;
  readonly #rays = new PlantRays(meshOf(plant.parts).mesh);

  constructor(look: PlantLook, size: { readonly width: number; readonly height: number }) {
    const node = plant.nodes.find(({ code }) => code === look.node);
    if (!node) throw new Error(`The demo plant has no node ${look.node}.`);
    const [pan, tilt] = [look.pan, look.tilt].map((degrees) => (degrees * Math.PI) / 180) as [number, number];
    this.#eye = node.position;
    this.#forward = [Math.sin(pan) * Math.cos(tilt), Math.cos(pan) * Math.cos(tilt), Math.sin(tilt)];
    this.#right = normalise(cross(this.#forward, [0, 0, 1]));
    this.#up = cross(this.#right, this.#forward);
    this.#size = size;
    this.#focal = size.height / 2 / Math.tan((look.fov * Math.PI) / 360);
  }

  pixelOf(point: Point): { readonly x: number; readonly y: number } {
    const way = subtract(point, this.#eye);
    const depth = dot(way, this.#forward);
    return { x: Math.round(this.#size.width / 2 + (this.#focal * dot(way, this.#right)) / depth), y: Math.round(this.#size.height / 2 - (this.#focal * dot(way, this.#up)) / depth) };
  }

  /** What stands at a pixel. */
  hit({ x, y }: { readonly x: number; readonly y: number }): RayHit {
    const aside = scale(this.#right, (x - this.#size.width / 2) / this.#focal);
    const above = scale(this.#up, (this.#size.height / 2 - y) / this.#focal);
    const found = this.#rays.hit(this.#eye, normalise(add(this.#forward, add(aside, above))));
    if (!found) throw new Error(`Nothing of the plant stands at the pixel ${x}, ${y}.`);
    return found;
  }
}

/** Opens a module at a look, and waits until its picture can be worked in. */
export async function lookAt(page: Page, module: string, { node, pan, tilt, fov }: PlantLook, layers = ''): Promise<Locator> {
  const [x, y, z] = plant.nodes.find(({ code }) => code === node)?.position ?? [0, 0, 0];
  await page.goto(at(`/console/tour/HB-M10?v=1&module=${module}&node=${node}&pan=${pan}&tilt=${tilt}&fov=${fov}&pos=${x},${y},${z}${layers}`));
  await expect(page.getByRole('button', { name: 'Measure' })).toBeVisible();
  const picture = page.getByTestId('annotate-overlay').locator('xpath=..');
  await expect(picture.locator('canvas')).toBeVisible();
  return picture;
}

/** Chooses one of the kinds behind a button of the tool bar. */
export async function chooseTool(page: Page, tool: string, kind: string): Promise<Locator> {
  await page.getByRole('button', { name: tool, exact: true }).click();
  await page.getByRole('menuitemradio', { name: kind, exact: true }).click();
  return page.getByRole('group', { name: kind, exact: true });
}
