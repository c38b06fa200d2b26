import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLog } from './server-log.ts';
import { Secret } from './secret.ts';
import { readServerConfig } from './server-config.ts';

function captureLog(write: (log: ReturnType<typeof createLog>) => void): string {
  let output = '';
  write(
    createLog(
      'info',
      new Writable({ write: (chunk: Buffer, _encoding, finish) => ((output += chunk.toString()), finish()) }),
    ),
  );
  return output;
}

describe('the log', () => {
  it('hides secrets by the names of their fields', () => {
    const output = captureLog((log) =>
      log.info({
        password: 'p1',
        body: { refreshToken: 'p2', user: { username: 'p3' } },
        headers: { authorization: 'p4', cookie: 'p5' },
        visible: 'value',
      }),
    );
    expect(output).not.toMatch(/p[1-5]/);
    expect(output).toContain('"visible":"value"');
  });

  it('logs name, message, code and stack of an error, and no other properties', () => {
    const error = Object.assign(
      new Error('outer', { cause: Object.assign(new Error('inner'), { parameters: ['p6'] }) }),
      { code: 'X1', query: 'select p7', headers: { authorization: 'p8' } },
    );
    const output = captureLog((log) => log.error({ err: error }, 'failed'));
    expect(output).not.toMatch(/p[6-8]/);
    expect(JSON.parse(output)).toMatchObject({
      level: 'error',
      err: {
        message: 'outer',
        code: 'X1',
        stack: expect.stringContaining('server-log.test.ts'),
        cause: { message: 'inner' },
      },
    });
  });

  it('never shows a secret of the configuration', () => {
    const { config, problems } = readServerConfig({
      DATABASE_URL: 'mysql://u:hush1@host/db',
      SMTP_URL: 'smtp://u:hush2@host',
      S3_BUCKET: 'b',
      S3_SECRET_ACCESS_KEY: 'hush3',
      WALKDOWN_OIDC_FIRST_ISSUER: 'https://id.example',
      WALKDOWN_OIDC_FIRST_CLIENT_ID: 'c',
      WALKDOWN_OIDC_FIRST_CLIENT_SECRET: 'hush4',
      WALKDOWN_TOKEN_SECRET: 'hush5hush5hush5hush5hush5hush5hush5',
      WALKDOWN_METRICS_SECRET: 'hush6',
    });
    const output = captureLog((log) =>
      log.info({ config, problems }, `${String(config.tokenSecret)} ${JSON.stringify(config)}`),
    );
    expect(output).not.toContain('hush');
    expect(new Secret('x').reveal()).toBe('x');
    expect(problems.map(({ variable, kind }) => `${kind} ${variable}`)).toEqual(
      expect.arrayContaining([
        'wrong DATABASE_URL',
        'wrong WALKDOWN_METRICS_SECRET',
        'missing MAIL_FROM',
        'missing PORT',
      ]),
    );
  });
});

describe('the configuration', () => {
  it('[PRO-19] has a default for everything', () => {
    const { config, problems } = readServerConfig({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      database: { kind: 'embedded' },
      files: { kind: 'disk' },
      mail: { kind: 'file' },
      session: { refreshGraceMs: 10_000 },
    });
    expect(problems.every(({ kind }) => kind === 'missing')).toBe(true);
    expect(problems.map(({ variable }) => variable)).toEqual(
      expect.arrayContaining([
        'WALKDOWN_DATA',
        'HOST',
        'PORT',
        'WALKDOWN_PUBLIC_ADDRESS',
        'DATABASE_URL',
        'S3_BUCKET',
        'SMTP_URL',
      ]),
    );
  });

  it('[API-14] reads the base URL from the environment', () => {
    expect(readServerConfig({ WALKDOWN_PUBLIC_ADDRESS: 'https://tours.example.com/' }).config.publicUrl).toBe(
      'https://tours.example.com',
    );
    const wrongResult = readServerConfig({ WALKDOWN_PUBLIC_ADDRESS: 'tours' });
    expect(wrongResult.config.publicUrl).toBeUndefined();
    expect(wrongResult.problems).toContainEqual({
      variable: 'WALKDOWN_PUBLIC_ADDRESS',
      kind: 'wrong',
      sentence: expect.stringContaining('must be an address'),
      remedy: 'Correct it, or take it out of the environment (then: the address this server listens on).',
    });
  });

  it('names the accepted values of the API description and of metrics', () => {
    const { config } = readServerConfig({});
    expect([config.apiDescription, config.metrics.exposure]).toEqual(['signed-in', 'signed-in']);
    const { problems } = readServerConfig({ WALKDOWN_API_DESCRIPTION: 'true', WALKDOWN_METRICS: 'on' });
    expect(problems.filter(({ kind }) => kind === 'wrong').map(({ sentence }) => sentence)).toEqual([
      'WALKDOWN_API_DESCRIPTION must be one of open, signed-in, off, and is "true".',
      'WALKDOWN_METRICS must be one of open, signed-in, off, and is "on".',
    ]);
  });

  it('refuses a secret for open metrics', () => {
    const { config, problems } = readServerConfig({ WALKDOWN_METRICS: 'open', WALKDOWN_METRICS_SECRET: 'hush-hush' });
    expect(config.metrics.secret).toBeUndefined();
    expect(problems).toContainEqual({
      variable: 'WALKDOWN_METRICS_SECRET',
      kind: 'wrong',
      sentence: expect.stringContaining('WALKDOWN_METRICS is open'),
      remedy: expect.any(String),
    });
  });

  it('names the missing variable of a single sign-on provider', () => {
    const { config, problems } = readServerConfig({
      WALKDOWN_OIDC_SECOND_ISSUER: 'https://id.example',
      WALKDOWN_OIDC_SECOND_CLIENT_ID: 'c',
    });
    expect(config.signOn).toEqual({});
    expect(problems).toContainEqual({
      variable: 'WALKDOWN_OIDC_SECOND_CLIENT_SECRET',
      kind: 'wrong',
      sentence: expect.stringContaining('must be set with WALKDOWN_OIDC_SECOND_ISSUER'),
      remedy: expect.stringContaining('take WALKDOWN_OIDC_SECOND_ISSUER out'),
    });
  });
});
