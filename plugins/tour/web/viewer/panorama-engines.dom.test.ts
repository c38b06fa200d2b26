import { describe, expect, it, vi } from 'vitest';
import { WebGlPanoramaEngines } from './panorama-engines.ts';
import { WebGlPanoramaEngine } from './panorama-engine.ts';

describe('panorama engines', () => {
  it('returns the same engine to the same part', () => {
    const engines = new WebGlPanoramaEngines();
    expect(engines.of('vr.module')).toBe(engines.of('vr.module'));
  });

  it('reuses a detached engine and creates another only if two are on screen', () => {
    const engines = new WebGlPanoramaEngines();
    const first = engines.of('vr.module');
    expect(engines.of('scan.module')).toBe(first);
    const attached = vi.spyOn(WebGlPanoramaEngine.prototype, 'attached', 'get').mockReturnValue(true);
    expect(engines.of('vr.module')).not.toBe(first);
    attached.mockRestore();
  });

  it('hides the pins of a later engine under the same areas', () => {
    const engines = new WebGlPanoramaEngines();
    engines.keepClear([{ left: 1, top: 2, width: 3, height: 4 }]);
    const spy = vi.spyOn(WebGlPanoramaEngine.prototype, 'keepClear');
    engines.of('vr.module');
    expect(spy).toHaveBeenCalledWith([{ left: 1, top: 2, width: 3, height: 4 }]);
    spy.mockRestore();
  });

  it('corrects the pictures of all engines, including later ones', () => {
    const engines = new WebGlPanoramaEngines();
    const spy = vi.spyOn(WebGlPanoramaEngine.prototype, 'correct');
    engines.of('vr.module');
    engines.correct({ brightness: 0.5, contrast: 0 });
    expect(spy).toHaveBeenCalledTimes(1);
    const attached = vi.spyOn(WebGlPanoramaEngine.prototype, 'attached', 'get').mockReturnValue(true);
    engines.of('scan.module');
    expect(spy).toHaveBeenLastCalledWith({ brightness: 0.5, contrast: 0 });
    expect(spy).toHaveBeenCalledTimes(2);
    attached.mockRestore();
    spy.mockRestore();
  });
});
