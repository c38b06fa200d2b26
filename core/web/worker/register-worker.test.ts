import { describe, expect, it, vi } from 'vitest';
import { registerWorker } from './register-worker.ts';

function setup(existingScopes: readonly string[] = []) {
  const registrations = existingScopes.map((scope) => ({ scope, unregister: vi.fn(async () => true) }));
  const registration = Object.assign(new EventTarget(), {
    waiting: undefined as unknown,
    installing: undefined as unknown,
  });
  const workers = Object.assign(new EventTarget(), {
    controller: {} as object | null,
    register: vi.fn(async () => registration),
    getRegistrations: vi.fn(async () => registrations),
  });
  const cacheNames = new Set(['walkdown.v1', 'other-app']);
  const caches = { keys: async () => [...cacheNames], delete: async (name: string) => cacheNames.delete(name) };
  const updates: (() => void)[] = [];
  const reload = vi.fn();
  const options = {
    workers: workers as unknown as ServiceWorkerContainer,
    caches: caches as unknown as CacheStorage,
    onUpdate: (apply: () => void) => void updates.push(apply),
    reload,
  };
  return { options, workers, registration, registrations, cacheNames, updates, reload };
}

describe('registerWorker', () => {
  it('[PRO-11] [API-11] registers the script /dashboard/sw.js when enabled', async () => {
    const { options, workers } = setup();
    await registerWorker(true, options);
    expect(workers.register).toHaveBeenCalledWith('/dashboard/sw.js', { scope: '/dashboard/' });
  });

  it('[PRO-11] removes only our workers and caches when disabled', async () => {
    const { options, workers, registrations, cacheNames } = setup([
      'https://x.test/dashboard/',
      'https://x.test/other/',
    ]);
    await registerWorker(false, options);
    expect(workers.register).not.toHaveBeenCalled();
    expect(registrations.map(({ unregister }) => unregister.mock.calls.length)).toEqual([1, 0]);
    expect([...cacheNames]).toEqual(['other-app']);
  });

  it('[PRO-11] offers a new version and activates it when the person agrees', async () => {
    const { options, workers, registration, updates, reload } = setup();
    await registerWorker(true, options);
    const newWorker = Object.assign(new EventTarget(), { state: 'installed', postMessage: vi.fn() });
    registration.installing = newWorker;
    registration.dispatchEvent(new Event('updatefound'));
    newWorker.dispatchEvent(new Event('statechange'));
    expect(updates).toHaveLength(1);
    updates[0]?.();
    expect(newWorker.postMessage).toHaveBeenCalledWith('SKIP_WAITING');
    expect(reload).not.toHaveBeenCalled();
    workers.dispatchEvent(new Event('controllerchange'));
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('[PRO-11] logs an error if the browser refuses the worker', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { options, workers } = setup();
    workers.register.mockRejectedValueOnce(new Error('insecure'));
    await registerWorker(true, options);
    await registerWorker(true, { ...options, workers: undefined });
    expect(log).toHaveBeenCalledTimes(1);
    log.mockRestore();
  });
});
