import { noAccess } from '../kernel/server-error.ts';
import type { FileGuard, GuardedRead } from './file-store.ts';

/** Guards that plugins register for reading their files; see `ServerContext.guardFiles`. */
export class FileGuards {
  readonly #guards = new Map<string, FileGuard>();

  register(name: string, guard: FileGuard): void {
    if (this.#guards.has(name))
      throw new Error(
        `There are two file guards with the name "${name}". Register each once, while the plugin is mounted.`,
      );
    this.#guards.set(name, guard);
  }

  /**
   * A guard that is not registered, because its plugin is disabled, refuses everybody.
   *
   * @throws the guard's error
   */
  async assertReadable(name: string, guardedRead: GuardedRead): Promise<void> {
    const guard = this.#guards.get(name);
    if (!guard) throw noAccess();
    await guard(guardedRead);
  }
}
