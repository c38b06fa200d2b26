import { describe, expect, it, vi } from 'vitest';
import type { TourStore } from '#plugins/tour';
import { WebGlPanoramaEngines } from './panorama-engines.ts';
import { WebGlPanoramaEngine } from './panorama-engine.ts';
import { SiteDepths } from './surface/site-depths.ts';

const noDepths = new SiteDepths({ opened: undefined } as TourStore);

describe('panorama engines', () => {
  it('returns the same engine for the same module', () => {
    const engines = new WebGlPanoramaEngines(noDepths);
    expect(engines.getEngine('vr.module')).toBe(engines.getEngine('vr.module'));
  });

  it('reuses a detached engine and creates another one only if two are on screen', () => {
    const engines = new WebGlPanoramaEngines(noDepths);
    const first = engines.getEngine('vr.module');
    expect(engines.getEngine('scan.module')).toBe(first);
    const attachedSpy = vi.spyOn(WebGlPanoramaEngine.prototype, 'attached', 'get').mockReturnValue(true);
    expect(engines.getEngine('vr.module')).not.toBe(first);
    attachedSpy.mockRestore();
  });

  it('applies the covered areas to engines that are created later', () => {
    const engines = new WebGlPanoramaEngines(noDepths);
    engines.keepClear([{ left: 1, top: 2, width: 3, height: 4 }]);
    const spy = vi.spyOn(WebGlPanoramaEngine.prototype, 'keepClear');
    engines.getEngine('vr.module');
    expect(spy).toHaveBeenCalledWith([{ left: 1, top: 2, width: 3, height: 4 }]);
    spy.mockRestore();
  });

  it('corrects the pictures of all engines, including engines that are created later', () => {
    const engines = new WebGlPanoramaEngines(noDepths);
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
