import 'reflect-metadata/lite';
import type { Point3 } from '#core';
import type { MeasurementKind } from '#plugins/annotate';
import type { CameraView, PanoramaPicture, ViewSurface } from '#plugins/tour';
import {
  MeasurementDraft,
  type CompletedMeasurement,
} from '../../plugins/annotate/web/measure/stores/measurement-draft.ts';
import { readModel } from '../../plugins/model-3d/web/viewer/read-model.ts';
import { ThreeModelEngine } from '../../plugins/model-3d/web/viewer/three-model-engine.ts';
import { ModelViewStore } from '../../plugins/model-3d/web/stores/model-view-store.ts';
import { createModelSurface } from '../../plugins/model-3d/web/viewer/model-surface.ts';
import { CloudDepth, CloudSurface, openCloud } from '../../plugins/scan/web/viewer/cloud/cloud-surface.ts';
import { WebGlPanoramaEngine } from '../../plugins/tour/web/viewer/panorama-engine.ts';
import { EasedCameraControllers } from '../../plugins/tour/web/viewer/walk/eased-camera-controllers.ts';

export interface PointToClick {
  readonly look: CameraView;
  /** One click per repetition, in pixels. */
  readonly clicks: readonly { readonly x: number; readonly y: number }[];
}

/** The result of one repetition: a value in metres or degrees, or the reason for none. */
export type Repetition =
  | {
      readonly value: number;
      readonly sigma: number | null;
      /** The vertical part of a distance between two points, metres. */
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
  setView(to: CameraView): Promise<void>;
  /** The position of a panorama's camera. Undefined in a cloud or a model. */
  findEye(): Point3 | undefined;
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
      findEye: () => picture.position,
      setView: async ({ pan, tilt, fov }) => engine.setView({ pan, tilt, fov }),
    };
  },

  /** Opens a panorama without a range image. Depth comes from the point cloud at `cloudUrl`. */
  async openPanorama(picture: Omit<PanoramaPicture, 'read'>, cloudUrl: string): Promise<void> {
    const depth = new CloudDepth(await openCloud({ kind: 'TILES', url: cloudUrl }));
    const engine = new WebGlPanoramaEngine({ hasSources: true, clear: () => undefined, find: async () => depth });
    engine.attach(host, { label: 'Panorama' });
    await engine.show(picture);
    view = {
      surface: engine.surface('vr.module'),
      findEye: () => picture.position,
      setView: async ({ pan, tilt, fov }) => engine.setView({ pan, tilt, fov }),
    };
  },

  async openCloud(url: string): Promise<void> {
    let isSettled = false;
    const messages: string[] = [];
    const surface = new CloudSurface(new EasedCameraControllers(), {
      module: 'scan.module',
      view: { position: [0, 0, 1.7], pan: 0, tilt: 0, fov: 60 },
    });
    surface.on('settled', (settled) => (isSettled = settled));
    surface.on('failed', ({ reason }) => messages.push(reason));
    surface.attach(host);
    await surface.open({ kind: 'TILES', url });
    view = {
      surface,
      findEye: () => undefined,
      setView: async (to) => {
        surface.setView(to);
        do {
          await nextFrame();
          await nextFrame();
        } while (!isSettled && messages.length === 0);
        if (messages.length > 0) throw new Error(messages.join());
      },
    };
  },

  async openModel(url: string): Promise<void> {
    const engine = new ThreeModelEngine(new EasedCameraControllers());
    const content = await readModel(await (await fetch(url)).arrayBuffer(), {
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
      findEye: () => undefined,
      setView: async ({ position, pan, tilt, fov }) => engine.setView({ position, pan, tilt, fov }),
    };
  },

  /** Repeats a measurement once for each click of its points. */
  async measure(kind: MeasurementKind, points: readonly PointToClick[]): Promise<readonly Repetition[]> {
    if (!view) throw new Error('No view is open.');
    const { surface, setView, findEye } = view;
    const repetitions = (points[0]?.clicks ?? []).map(() => {
      const repetition: {
        readonly draft: MeasurementDraft;
        measured: CompletedMeasurement | undefined;
        refusal: string | undefined;
      } = { draft: new MeasurementDraft(), measured: undefined, refusal: undefined };
      repetition.draft.connect({
        listSnapTargets: () => [],
        findEye,
        captureCameraState: () => undefined,
        onCompleted: (measurement) => (repetition.measured = measurement),
      });
      repetition.draft.choose(kind);
      return repetition;
    });
    for (const point of points) {
      await setView(point.look);
      for (const [index, repetition] of repetitions.entries()) {
        const click = point.clicks[index];
        if (!click || repetition.refusal !== undefined) continue;
        await repetition.draft.addPointAtPixel(surface, click.x, click.y);
        repetition.refusal = repetition.draft.clickProblem;
      }
    }
    return repetitions.map((repetition) => {
      if (repetition.refusal !== undefined) return { refusal: repetition.refusal };
      if (!repetition.measured) repetition.draft.complete();
      const { measured } = repetition;
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
