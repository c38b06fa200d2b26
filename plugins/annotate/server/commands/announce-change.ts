import type { EventDataOf, ServerEvent } from '#core';
import type { AnnotateContext } from '../queries/annotate-context.ts';

export interface ChangedRow {
  readonly location: string;
  /** Uid of the account. */
  readonly author: string;
  /** Whether other people can see the row or could see it before the change. */
  readonly visible: boolean;
}

/**
 * Announces a committed change to everyone who can see the row. A failure is only logged, because the change is saved
 * and browsers reload all rows after a database outage.
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
