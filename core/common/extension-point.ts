import type { AccessFlag } from './access.ts';

/**
 * Common fields of all contributions. `id` starts with the contributing plugin's id. Contributions are sorted by
 * `order`, then by `id`, never by load order.
 */
export interface Contribution {
  readonly id: string;
  readonly order: number;
  /** The flag that people need to get the contribution. */
  readonly access?: AccessFlag;
}

/** A point where one host accepts contributions of many plugins. */
export interface ExtensionPoint<C extends Contribution = Contribution> {
  readonly id: string;
  readonly __type?: C;
}

export interface BoundContribution<C extends Contribution = Contribution> {
  readonly point: ExtensionPoint<C>;
  readonly value: C;
}

export function extensionPoint<C extends Contribution>(id: `${string}.${string}`): ExtensionPoint<C> {
  return { id };
}

/** Type-checks a contribution: `value` must match the type of `point`. */
export function contribute<C extends Contribution>(point: ExtensionPoint<C>, value: NoInfer<C>): BoundContribution<C> {
  return { point, value };
}
