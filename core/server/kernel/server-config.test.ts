import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readServerConfig, readValidServerConfig } from './server-config.ts';

const findUnknown = (environment: Readonly<Record<string, string>>) =>
  readServerConfig(environment)
    .problems.filter(({ kind }) => kind === 'unknown')
    .map(({ sentence }) => sentence);

describe('unknown variables', () => {
  it('are reported with the most similar name, and never with their value', () => {
    expect(
      findUnknown({ WALKDOWN_TRUSTED_PROXY: '1', WALKDOWN_TOKEN_SECRETS: 'hush', WALKDOWN_XYLOPHONE: 'a' }),
    ).toEqual([
      'The unknown variable WALKDOWN_TOKEN_SECRETS is ignored. Did you mean WALKDOWN_TOKEN_SECRET?',
      'The unknown variable WALKDOWN_TRUSTED_PROXY is ignored. Did you mean WALKDOWN_TRUSTED_PROXIES?',
      'The unknown variable WALKDOWN_XYLOPHONE is ignored.',
    ]);
  });

  it('do not prevent the start', () => {
    expect(readValidServerConfig({ WALKDOWN_XYLOPHONE: 'a' }).config.port).toBe(3000);
  });

  it('do not include any variable of the operations guide', async () => {
    const guide = await readFile('docs/guides/operations.md', 'utf8');
    const names = [...new Set(guide.match(/\bWALKDOWN_[A-Z_]*[A-Z]\b/g))];
    expect(names.length).toBeGreaterThan(20);
    expect(findUnknown(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([]);
  });
});

describe('the issuer of an identity provider', () => {
  it('is refused if it is the URL of its metadata, because that document could name any issuer', () => {
    const buildEnvironment = (issuer: string) => ({
      WALKDOWN_OIDC_FIRST_ISSUER: issuer,
      WALKDOWN_OIDC_FIRST_CLIENT_ID: 'a',
      WALKDOWN_OIDC_FIRST_CLIENT_SECRET: 'b',
    });
    const issuer = 'https://login.example.com/tenant/v2.0';
    expect(readValidServerConfig(buildEnvironment(issuer)).config.signOn.first?.issuer).toBe(issuer);
    expect(() => readValidServerConfig(buildEnvironment(`${issuer}/.well-known/openid-configuration`))).toThrow(
      /WALKDOWN_OIDC_FIRST_ISSUER must be the issuer itself, without \/\.well-known\//,
    );
  });
});

describe('the groups of an identity provider', () => {
  it('are kept if the claim is missing, unless the configuration says that a missing claim means no groups', () => {
    const read = (moreVariables: Readonly<Record<string, string>>) =>
      readServerConfig({
        WALKDOWN_OIDC_FIRST_ISSUER: 'https://login.example.com',
        WALKDOWN_OIDC_FIRST_CLIENT_ID: 'a',
        WALKDOWN_OIDC_FIRST_CLIENT_SECRET: 'b',
        WALKDOWN_OIDC_FIRST_GROUPS_CLAIM: 'groups',
        ...moreVariables,
      });
    expect(read({}).config.signOn.first?.absentGroups).toBe('keep');
    expect(read({ WALKDOWN_OIDC_FIRST_GROUPS_ABSENT: 'remove' }).config.signOn.first?.absentGroups).toBe('remove');
    const wrongResult = read({ WALKDOWN_OIDC_FIRST_GROUPS_ABSENT: 'yes' });
    expect(wrongResult.config.signOn.first?.absentGroups).toBe('keep');
    expect(wrongResult.problems.map(({ variable }) => variable)).toContain('WALKDOWN_OIDC_FIRST_GROUPS_ABSENT');
  });
});

describe('the bucket', () => {
  const describeWrongVariables = (environment: Readonly<Record<string, string>>) =>
    readServerConfig(environment)
      .problems.filter(({ kind }) => kind === 'wrong')
      .map(({ sentence, remedy }) => `${sentence} ${remedy}`);
  const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'hush' };

  it('is required if the endpoint or a key is set', () => {
    const files = path.resolve('.walkdown', 'files');
    expect(describeWrongVariables({ S3_ENDPOINT: 'http://10.0.0.5:9000', ...keys })).toEqual([
      'S3_BUCKET must be set with S3_ENDPOINT. Correct it, or take S3_ENDPOINT out of the environment (then: files in ' +
        `${files}).`,
    ]);
    expect(describeWrongVariables({ ...keys })).toHaveLength(1);
    expect(describeWrongVariables({ S3_REGION: 'eu-west-3' })).toEqual([]);
  });

  it('requires both parts of its key or neither', () => {
    expect(describeWrongVariables({ S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'id' })).toEqual([
      expect.stringMatching(/^S3_SECRET_ACCESS_KEY must be set with S3_ACCESS_KEY_ID\. .*take S3_ACCESS_KEY_ID out/),
    ]);
    expect(describeWrongVariables({ S3_BUCKET: 'b', S3_SECRET_ACCESS_KEY: 'hush' })).toEqual([
      expect.stringMatching(
        /^S3_ACCESS_KEY_ID must be set with S3_SECRET_ACCESS_KEY\. .*take S3_SECRET_ACCESS_KEY out/,
      ),
    ]);
    expect(describeWrongVariables({ S3_BUCKET: 'b', ...keys })).toEqual([]);
    expect(describeWrongVariables({ S3_BUCKET: 'b' })).toEqual([]);
  });

  it('refuses an invalid endpoint', () => {
    for (const S3_ENDPOINT of ['10.0.0.5:9000', 'minio:9000', 's3://store', 'store'])
      expect(describeWrongVariables({ S3_BUCKET: 'b', S3_ENDPOINT }), S3_ENDPOINT).toEqual([
        'S3_ENDPOINT must be an address such as http://10.0.0.5:9000. Correct it, or take it out of the environment ' +
          '(then: Amazon S3).',
      ]);
    const { config } = readServerConfig({ S3_BUCKET: 'b', S3_ENDPOINT: 'http://[::1]:9000/' });
    expect(config.files).toMatchObject({ kind: 's3', endpoint: 'http://[::1]:9000' });
  });

  it('reports an unknown variable S3_...', () => {
    expect(findUnknown({ S3_BUCKET: 'b', S3_ACCESS_KEY: 'id', S3_SECRET_KEY: 'hush' })).toEqual([
      'The unknown variable S3_ACCESS_KEY is ignored. Did you mean S3_ACCESS_KEY_ID?',
      'The unknown variable S3_SECRET_KEY is ignored.',
    ]);
    expect(findUnknown({ S3_ACCESS_KEY: 'id' })).toEqual([]);
  });
});

describe('DATABASE_URL', () => {
  const findUrlProblems = (DATABASE_URL: string) =>
    readServerConfig({ DATABASE_URL }).problems.filter(
      ({ variable, kind }) => variable === 'DATABASE_URL' && kind === 'wrong',
    );

  it('is refused if the password is not percent-encoded, with the remedy and without the password', () => {
    for (const url of [
      'postgres://acme:hush@hush/hush@10.0.0.4/acme',
      'postgres://acme:hush#hush@10.0.0.4/acme',
      'postgres://acme:hu/sh@10.0.0.4/acme',
    ]) {
      const [problem] = findUrlProblems(url);
      expect(problem?.sentence, url).toContain('@ is written as %40');
      expect(JSON.stringify(problem)).not.toContain('hu');
    }
  });

  it('is accepted with an encoded password or with a socket', () => {
    for (const url of [
      'postgres://%C3%A9loi:p%40ss%2F%3F%23%20%25@10.0.0.4:5432/acme?sslmode=verify-full',
      'postgresql://acme@localhost/acme?host=%2Frun%2Fpostgresql',
      'postgres:///acme?host=/run/postgresql&application_name=a@b',
      'postgres://[::1]/acme',
    ])
      expect(findUrlProblems(url), url).toEqual([]);
  });
});

describe('lifetimes', () => {
  it('default to ten minutes for mailed codes', () => {
    expect(readServerConfig({}).config.session.oneTimeCodeLifetimeMs).toBe(600_000);
    expect(readServerConfig({ WALKDOWN_ONE_TIME_CODE_MS: '1000' }).config.session.oneTimeCodeLifetimeMs).toBe(1000);
  });
});
