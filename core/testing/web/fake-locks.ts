/** A minimal Web Locks API. The tabs of one test share one instance. */
export class FakeLocks implements LockManager {
  readonly #queues = new Map<string, { readonly mode: LockMode; readonly start: () => void }[]>();
  readonly #held = new Map<string, { readonly mode: LockMode }[]>();

  async query(): Promise<LockManagerSnapshot> {
    const heldLocks = [...this.#held].flatMap(([name, locks]) =>
      locks.map(({ mode }) => ({ name, mode, clientId: 'test' })),
    );
    return { held: heldLocks, pending: [] };
  }

  request<T>(name: string, callback: LockGrantedCallback<T>): Promise<Awaited<T>>;
  request<T>(name: string, options: LockOptions, callback: LockGrantedCallback<T>): Promise<Awaited<T>>;
  async request<T>(
    name: string,
    first: LockOptions | LockGrantedCallback<T>,
    second?: LockGrantedCallback<T>,
  ): Promise<Awaited<T>> {
    const options = typeof first === 'function' ? {} : first;
    const callback = typeof first === 'function' ? first : second;
    if (!callback) throw new TypeError('A lock request needs a callback.');
    const mode = options.mode ?? 'exclusive';
    if (!this.#isFree(name, mode)) {
      if (options.ifAvailable) return await callback(null);
      await new Promise<void>((start) => this.#queues.set(name, [...(this.#queues.get(name) ?? []), { mode, start }]));
    }
    const lock = { mode };
    this.#held.set(name, [...(this.#held.get(name) ?? []), lock]);
    try {
      return await callback({ name, mode });
    } finally {
      this.#held.set(
        name,
        (this.#held.get(name) ?? []).filter((other) => other !== lock),
      );
      const [next, ...others] = this.#queues.get(name) ?? [];
      if (next && this.#isFree(name, next.mode)) {
        this.#queues.set(name, others);
        next.start();
      }
    }
  }

  #isFree(name: string, mode: LockMode): boolean {
    const heldLocks = this.#held.get(name) ?? [];
    return heldLocks.length === 0 || (mode === 'shared' && heldLocks.every((other) => other.mode === 'shared'));
  }
}
