import { dayAt, type CalendarDay } from '#core';
import type { ServerContext } from '#core/server';

/**
 * Returns the day that identifies a panorama among those of its node: the day at the site, so that one round is one
 * day.
 */
export type CaptureDays = (capturedAt: Date) => CalendarDay;

export async function captureDaysAt({ sites }: Pick<ServerContext, 'sites'>, location: string): Promise<CaptureDays> {
  const { timeZone } = await sites.recordAt(location);
  return (capturedAt) => dayAt(capturedAt, timeZone);
}
