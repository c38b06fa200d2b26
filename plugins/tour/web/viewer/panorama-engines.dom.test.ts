import { describe, expect, it, vi } from 'vitest';
import type { TourStore } from '#plugins/tour';
import { WebGlPanoramaEngines } from './panorama-engines.ts';
import { WebGlPanoramaEngine } from './panorama-engine.ts';
import { SiteDepthLookup } from './surface/site-depth-lookup.ts';

const emptyDepthLookup = new SiteDepthLookup({ opened: undefined } as TourStore);

describe('panorama engines', () => {
  it('returns the same engine for the same module', () => {
    const engines = new WebGlPanoramaEngines(emptyDepthLookup);
    expect(engines.getEngine('vr.module')).toBe(engines.getEngine('vr.module'));
  });

  it('reuses a detached engine, and creates a second one only while the first is on screen', () => {
    const engines = new WebGlPanoramaEngines(emptyDepthLookup);
    const firstEngine = engines.getEngine('vr.module');
    expect(engines.getEngine('scan.module')).toBe(firstEngine);
    const attachedSpy = vi.spyOn(WebGlPanoramaEngine.prototype, 'attached', 'get').mockReturnValue(true);
    expect(engines.getEngine('vr.module')).not.toBe(firstEngine);
    attachedSpy.mockRestore();
  });

  it('sets the covered areas of engines that are created later', () => {
    const engines = new WebGlPanoramaEngines(emptyDepthLookup);
    engines.setCoveredAreas([{ left: 1, top: 2, width: 3, height: 4 }]);
    const spy = vi.spyOn(WebGlPanoramaEngine.prototype, 'setCoveredAreas');
    engines.getEngine('vr.module');
    expect(spy).toHaveBeenCalledWith([{ left: 1, top: 2, width: 3, height: 4 }]);
    spy.mockRestore();
  });

  it('corrects the pictures of all engines, including engines that are created later', () => {
    const engines = new WebGlPanoramaEngines(emptyDepthLookup);
    const spy = vi.spyOn(WebGlPanoramaEngine.prototype, 'correct');
    engines.getEngine('vr.module');
    engines.correct({ brightness: 0.5, contrast: 0 });
    expect(spy).toHaveBeenCalledTimes(1);
    const attachedSpy = vi.spyOn(WebGlPanoramaEngine.prototype, 'attached', 'get').mockReturnValue(true);
    engines.getEngine('scan.module');
    expect(spy).toHaveBeenLastCalledWith({ brightness: 0.5, contrast: 0 });
    expect(spy).toHaveBeenCalledTimes(2);
    attachedSpy.mockRestore();
    spy.mockRestore();
  });
});
