import type { AccessFlag } from './access.ts';

/**
 * What every contribution has. `id` starts with the contributing plugin's id; the sort is by (`order`, `id`), never by
 * load order.
 */
export interface Contribution {
  readonly id: string;
  readonly order: number;
  /** Present only for people who have this flag. */
  readonly access?: AccessFlag;
}

/** A place where one host takes contributions from many plugins. */
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

/** Checked where it is written: `value` must fit what the host of `point` asks for. */
export function contribute<C extends Contribution>(point: ExtensionPoint<C>, value: NoInfer<C>): BoundContribution<C> {
  return { point, value };
}
