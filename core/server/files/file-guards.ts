import { noAccess } from '../kernel/server-error.ts';
import type { FileGuard, GuardedRead } from './file-store.ts';

/** What plugins ask before files of theirs are read; see `ServerContext.guardFiles`. */
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
   * Throws what the guard throws. A guard that nobody registered, such as that of a plugin that is off, lets nobody
   * through.
   */
  async ask(name: string, asked: GuardedRead): Promise<void> {
    const guard = this.#guards.get(name);
    if (!guard) throw noAccess();
    await guard(asked);
  }
}
