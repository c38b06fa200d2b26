import type { EventDataOf, ServerEvent } from '#core';
import type { AnnotateContext } from '../queries/annotate-context.ts';

export interface ChangedRow {
  readonly location: string;
  /** Uid of the account. */
  readonly author: string;
  /** Whether others can see the row, or could before the change. */
  readonly visible: boolean;
}

/**
 * Announces a committed change to those who can see the row. Never rejects: the change is already saved, and browsers
 * reload everything after a database outage.
 */
export async function announceChange<E extends ServerEvent>(
  context: AnnotateContext,
  event: E,
  { location, author, visible }: ChangedRow,
  data: EventDataOf<E>,
): Promise<void> {
  try {
    await context.events.publish(event, visible ? { location } : { accounts: [author] }, data);
  } catch (error) {
    context.log.warn({ topic: event.topic, err: error }, 'A change was not announced.');
  }
}
