import 'reflect-metadata/lite';
import { WebGlPanoramaEngine } from '../../plugins/tour/web/engine/panorama-engine.ts';

/** The engine alone in a page, for tests that steer it from outside. */
const engine = new WebGlPanoramaEngine();
const host = document.querySelector('#host') as HTMLElement;
const heard: string[] = [];
for (const event of ['shown', 'sharp', 'failed', 'contextLost', 'contextRestored'] as const) engine.on(event, (value) => heard.push(value === undefined ? event : `${event}:${value.id}`));
const page = { engine, host, heard, detach: engine.attach(host, { label: 'Panorama' }) };
export type EnginePage = typeof page;
Object.assign(window, { page });
