import { Type, type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { serverEvent } from '../server-events.ts';
import { Instant, nullable, LocalizedError } from './shapes.ts';

/** A server job as its owner sees it. `total` is null until known. */
export type Job = Static<typeof Job>;
export const Job = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  status: Type.Enum(['INPROGRESS', 'COMPLETED']),
  result: nullable(Type.Enum(['SUCCESS', 'FAILED', 'WARNING'])),
  done: Type.Number(),
  total: nullable(Type.Number()),
  message: nullable(Type.String()),
  /** `message` in localized form, if it is a refusal. */
  refusal: nullable(LocalizedError),
  createdAt: Instant,
  finishedAt: nullable(Instant),
});

export const getJob = endpoint('GET', '/api/jobs/:id', {
  summary: 'One job of the caller.',
  access: 'signedIn',
  params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
  reply: Job,
});

/** Sent to the owner of a job when its progress changes. */
export const jobChanged = (id: string) => serverEvent(`job.${id}`, Job);
