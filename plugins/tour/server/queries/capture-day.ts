import { dayAt, type CalendarDay } from '#core';
import type { ServerContext } from '#core/server';

/** Gives the day by which the panoramas of a node are told apart: that of the site, so that one round is one day. */
export type CaptureDays = (capturedAt: Date) => CalendarDay;

export async function captureDaysAt({ sites }: Pick<ServerContext, 'sites'>, location: string): Promise<CaptureDays> {
  const { timeZone } = await sites.recordAt(location);
  return (capturedAt) => dayAt(capturedAt, timeZone);
}
