import { Type } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { definePlugin } from '#core';
import { getJob } from '#core/api';
import { describeOnDatabases, EventReader, startTestServer, type TestServer } from '#core/testing/server';
import { enabledPlugin } from '../kernel/enabled-plugin.ts';
import { serverPlugin } from '../kernel/server-plugin.ts';
import { Jobs } from './jobs.ts';

const manifest = definePlugin({
  id: 'counter',
  title: 'counter.title',
  settings: Type.Object({}),
  access: [],
  requires: [],
  bridges: [],
});
const counter = enabledPlugin(
  manifest,
  {},
  serverPlugin<typeof manifest>()({
    api: (_, { jobs }) =>
      jobs.register<number>('counter.count', async ({ payload, progress }) => {
        for (let step = 1; step <= payload; step++) await progress({ done: step, total: payload, cursor: step });
        return { result: 'SUCCESS', message: `Counted to ${payload}.` };
      }),
  }),
);

describeOnDatabases('GET /api/jobs/:id', (database) => {
  let server: TestServer;
  let jobs: Jobs;
  beforeAll(async () => {
    server = await startTestServer({ database, plugins: [counter], config: { metrics: { exposure: 'open' } } });
    jobs = server.service(Jobs);
  });
  afterAll(() => server.close());

  it('shows a job to its owner only', async () => {
    const [ann, ben] = [await server.addPerson(), await server.addPerson({ flags: 'all' })];
    const id = await jobs.start('counter.count', 3, ann.uid);
    const completedJob = await jobs.waitForCompletion(id);
    expect(await server.call(getJob, { params: { id }, token: await server.signIn(ann) })).toMatchObject({
      status: 200,
      body: completedJob,
    });
    expect(completedJob).toMatchObject({ result: 'SUCCESS', done: 3, total: 3, message: 'Counted to 3.' });
    expect(await server.call(getJob, { params: { id }, token: await server.signIn(ben) })).toMatchObject({
      status: 404,
      refusal: { code: 'E004' },
    });
    expect((await server.call(getJob, { params: { id } })).status).toBe(401);
    const jobWithoutOwner = await jobs.start('counter.count', 1, null);
    await jobs.waitForCompletion(jobWithoutOwner);
    expect(
      (await server.call(getJob, { params: { id: jobWithoutOwner }, token: await server.signIn(ann) })).status,
    ).toBe(404);
  });

  it('notifies the owner of the completion by an event', async () => {
    const ann = await server.addPerson();
    const reader = await EventReader.connect(await server.url(), await server.signIn(ann));
    const id = await jobs.start('counter.count', 2, ann.uid);
    const { data } = await reader.waitFor(
      ({ topic, data: job }) => topic === `job.${id}` && (job as { readonly status: string }).status === 'COMPLETED',
    );
    expect(data).toEqual(await jobs.find(id));
    await reader.close();
  });

  it('exports the number of open jobs as a metric', async () => {
    const metrics = await server.app.inject({ url: '/metrics' });
    expect(metrics.body).toMatch(/^walkdown_jobs_open \d+$/m);
    expect(metrics.body).toMatch(/^walkdown_event_streams \d+$/m);
  });
});
