import { token } from '#core';
import type { SetUpState, SetUpText } from './api/set-up.ts';

export interface SetUpStepReport {
  /** One of `SetUpSource.steps`. */
  readonly id: string;
  readonly state: SetUpState;
  /** The current state of the step, as a message of the plugin's web messages. */
  readonly detail: SetUpText;
}

/** Says how far the steps of one plugin are. */
export interface SetUpSource {
  /** Ids of its contributions to `setUpSteps`. */
  readonly steps: readonly string[];
  /** Reads the progress at these locations. The number of queries must not depend on the number of rows. */
  read(locations: readonly string[]): Promise<readonly SetUpStepReport[]>;
}

/** Registers the steps of other plugins. They call it in their `server/bridges/locations.ts`. */
export interface SetUpSteps {
  /** Call it while the bridge is mounted, once per plugin. */
  register(source: SetUpSource): void;
}
export const SetUpSteps = token<SetUpSteps>('locations.SetUpSteps');
