import 'reflect-metadata/lite';
import type { Point3 } from '#core';
import type { MeasurementKind } from '#plugins/annotate';
import type { PanoramaPicture, ViewSurface } from '#plugins/tour';
import { Measuring, type Measured } from '../../plugins/annotate/web/measure/stores/measuring.ts';
import { readModel } from '../../plugins/model-3d/web/viewer/read-model.ts';
import { ThreeModelEngine } from '../../plugins/model-3d/web/viewer/three-model-engine.ts';
import { ModelViewStore } from '../../plugins/model-3d/web/stores/model-view-store.ts';
import { createModelSurface } from '../../plugins/model-3d/web/viewer/model-surface.ts';
import { CloudSurface } from '../../plugins/scan/web/viewer/cloud/cloud-surface.ts';
import { WebGlPanoramaEngine } from '../../plugins/tour/web/viewer/panorama-engine.ts';
import { EasedCameraControllers } from '../../plugins/tour/web/viewer/walk/eased-camera-controllers.ts';

/** Shows panorama, cloud or model with the product's measuring, controlled from outside. */
export interface LookAt {
  readonly position: Point3;
  readonly pan: number;
  readonly tilt: number;
  readonly fov: number;
}

export interface PointToClick {
  readonly look: LookAt;
  /** One click per repetition, in pixels. */
  readonly clicks: readonly { readonly x: number; readonly y: number }[];
}

/** The result of one repetition: a value in metres or degrees, or the reason for none. */
export type Repetition =
  | {
      readonly value: number;
      readonly sigma: number | null;
      readonly vertical: number | undefined;
      readonly nps: string | undefined;
      readonly points: readonly Point3[];
      /** One standard deviation of each point, metres; null if unknown. */
      readonly sigmas: readonly (number | null)[];
      readonly refusal?: never;
    }
  | { readonly refusal: string };

interface OpenView {
  readonly surface: ViewSurface;
  look(to: LookAt): Promise<void>;
  eye(): Point3 | undefined;
}

const host = document.querySelector('#host') as HTMLElement;
let view: OpenView | undefined;

const nextFrame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));

const measuringPage = {
  async openBubble(picture: Omit<PanoramaPicture, 'read'>): Promise<void> {
    const engine = new WebGlPanoramaEngine();
    engine.attach(host, { label: 'Bubble' });
    await engine.show(picture);
    view = {
      surface: engine.surface('scan.module'),
      eye: () => picture.position,
      look: async ({ pan, tilt, fov }) => engine.setView({ pan, tilt, fov }),
    };
  },

  async openCloud(address: string): Promise<void> {
    let settled = false;
    const problems: string[] = [];
    const surface = new CloudSurface(new EasedCameraControllers(), {
      module: 'scan.module',
      view: { position: [0, 0, 1.7], pan: 0, tilt: 0, fov: 60 },
    });
    surface.on('settled', (now) => (settled = now));
    surface.on('failed', ({ reason }) => problems.push(reason));
    surface.attach(host);
    await surface.open({ kind: 'TILES', address });
    view = {
      surface,
      eye: () => undefined,
      look: async (to) => {
        surface.setView(to);
        do {
          await nextFrame();
          await nextFrame();
        } while (!settled && problems.length === 0);
        if (problems.length > 0) throw new Error(problems.join());
      },
    };
  },

  async openModel(address: string): Promise<void> {
    const engine = new ThreeModelEngine(new EasedCameraControllers());
    const content = await readModel(await (await fetch(address)).arrayBuffer(), {
      uid: 'M',
      name: 'Model',
      pose: { position: [0, 0, 0], heading: 0, scale: 1 },
    });
    engine.show(content);
    engine.attach(host, { label: 'Model' });
    const store = new ModelViewStore();
    store.setObjects(content.objects, engine.computeBounds());
    view = {
      surface: createModelSurface(host, engine, store),
      eye: () => undefined,
      look: async ({ position, pan, tilt, fov }) => engine.setState({ position, pan, tilt, fov }),
    };
  },

  /** Repeats a measurement once for each click of its points. */
  async measure(kind: MeasurementKind, points: readonly PointToClick[]): Promise<readonly Repetition[]> {
    if (!view) throw new Error('Nothing is open that could be measured in.');
    const { surface, look, eye } = view;
    const runs = (points[0]?.clicks ?? []).map(() => {
      const run: { readonly measuring: Measuring; measured: Measured | undefined; missed: string | undefined } = {
        measuring: new Measuring(),
        measured: undefined,
        missed: undefined,
      };
      run.measuring.connect({
        targets: () => [],
        eye,
        aim: () => undefined,
        onMeasured: (measured) => (run.measured = measured),
      });
      run.measuring.choose(kind);
      return run;
    });
    for (const point of points) {
      await look(point.look);
      for (const [index, run] of runs.entries()) {
        const click = point.clicks[index];
        if (!click || run.missed !== undefined) continue;
        await run.measuring.addAt(surface, click.x, click.y);
        run.missed = run.measuring.refusal;
      }
    }
    return runs.map((run) => {
      if (run.missed !== undefined) return { refusal: run.missed };
      if (!run.measured) run.measuring.finish();
      const { measured } = run;
      if (!measured || measured.result.value === null) return { refusal: 'unfinished' };
      const { value, sigma, details } = measured.result;
      return {
        value,
        sigma,
        vertical: typeof details['vertical'] === 'number' ? details['vertical'] : undefined,
        nps: typeof details['nps'] === 'string' ? details['nps'] : undefined,
        points: measured.points.map(({ point }) => [...point] as const),
        sigmas: measured.points.map((point) => point.sigma),
      };
    });
  },
};
export type MeasuringPage = typeof measuringPage;
Object.assign(window, { measuringPage });
