import { token } from '#core';
/** Events that people's browsers hear (server-sent), across all server processes. */
export interface Events {
  /** `topic` such as `job.<id>` or `locations`. `to`: uids of people, or everybody who is signed in. */
  publish(topic: string, data: unknown, to?: readonly string[]): Promise<void>;
}
export const Events = token<Events>('core.Events');
