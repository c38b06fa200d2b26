import { dayAt, type CalendarDay } from '#core';
import type { ServerContext } from '#core/server';

/** Converts an instant to the day at the site, which identifies a panorama of a node. */
export type ToCaptureDay = (capturedAt: Date) => CalendarDay;

export async function createCaptureDayConverter(
  { sites }: Pick<ServerContext, 'sites'>,
  location: string,
): Promise<ToCaptureDay> {
  const { timeZone } = await sites.recordAt(location);
  return (capturedAt) => dayAt(capturedAt, timeZone);
}
