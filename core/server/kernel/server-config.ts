import path from 'node:path';
import type { ProviderId } from '#core';
import { normaliseMailDomain } from './mail-domain.ts';
import { EnvironmentReader, type ConfigProblem, type EnvironmentSetting } from './environment-reader.ts';
import { Secret } from './secret.ts';
import { ConfigurationError } from './configuration-error.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Readers of the API's description and the metrics: anybody, signed-in people, or nobody. */
export const exposures = ['open', 'signed-in', 'off'] as const;
export type Exposure = (typeof exposures)[number];

/** Some providers omit the claim for people who are in no group. */
const absentGroups = ['keep', 'remove'] as const;
type AbsentGroups = (typeof absentGroups)[number];

export interface SignOnProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** Mail domains of this provider: addresses in them need no verification, and no other provider may claim them. */
  readonly mailDomains: readonly string[];
  /** The claim that names a person's groups. Undefined if groups give no roles. */
  readonly groupsClaim?: string;
  /** Whether people keep their roles from groups if the claim is absent. Default: keep. */
  readonly absentGroups?: AbsentGroups;
}

/** All settings from the environment. */
export interface ServerConfig {
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  /**
   * The base URL of links in mails and of the redirect after single sign-on, without a trailing slash. If undefined, it
   * is `http://<host>:<port>` of this server.
   */
  readonly publicUrl: string | undefined;
  /**
   * The base URL of this API, with its path and without a trailing slash, if the pages are on another host. File URLs
   * begin with it.
   */
  readonly apiUrl: string | undefined;
  /** Origins whose pages may call this API, such as `https://tours.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** Number of proxies in front of this server whose `x-forwarded-for` is trusted. */
  readonly trustedProxies: number;
  readonly logLevel: LogLevel;
  /** Whether the product's files are verified against a `proof.json` at start. */
  readonly productCheck:
    | { readonly kind: 'off' }
    | {
        readonly kind: 'on';
        /** The SHA-256 of the expected `proof.json`. If undefined, the `proof.json` of the product is used. */
        readonly proofSha256: string | undefined;
      };
  /** Absolute folder of the embedded database, files on disk and unsent mails. */
  readonly dataFolder: string;
  readonly database:
    | { readonly kind: 'embedded'; readonly folder: string | 'memory' }
    | { readonly kind: 'postgres'; readonly url: Secret; readonly connections: number };
  readonly files:
    | { readonly kind: 'disk'; readonly folder: string }
    | {
        readonly kind: 's3';
        readonly bucket: string;
        readonly region: string;
        readonly endpoint: string | undefined;
        readonly accessKeyId: string | undefined;
        readonly secretAccessKey: Secret | undefined;
      };
  readonly mail:
    | { readonly kind: 'file'; readonly folder: string; readonly from: string }
    | { readonly kind: 'smtp'; readonly url: Secret; readonly from: string };
  readonly signOn: Readonly<Partial<Record<ProviderId, SignOnProvider>>>;
  readonly session: {
    readonly accessTokenLifetimeMs: number;
    /** A session ends if it is not renewed within this time. */
    readonly idleLifetimeMs: number;
    /** The maximum age of a session. */
    readonly absoluteLifetimeMs: number;
    /**
     * The time for which a used refresh token is accepted once more if its successor was not used, as after a lost
     * reply.
     */
    readonly refreshGraceMs: number;
    readonly oneTimeCodeLifetimeMs: number;
    readonly invitationLifetimeMs: number;
  };
  /** Signs access tokens. If undefined, a secret is generated once and stored in the database. */
  readonly tokenSecret: Secret | undefined;
  /** The token secret before the last change. It only decrypts stored values, such as keys of second factors. */
  readonly formerTokenSecret: Secret | undefined;
  /** The API's description at `/api/openapi.json` and `/api/docs`. */
  readonly apiDescription: Exposure;
  /** The access to `/metrics`. */
  readonly metrics: {
    readonly exposure: Exposure;
    /** Accepted as a bearer token. Undefined with `open`. */
    readonly secret: Secret | undefined;
  };
  readonly jobs: {
    /** The time after which another process may continue a job whose lease was not renewed. */
    readonly leaseMs: number;
    /** The maximum of concurrent jobs in one process. */
    readonly maxConcurrent: number;
  };
  readonly limits: {
    /** The maximum size of a JSON body. */
    readonly bodyBytes: number;
    /** The maximum size of an uploaded file. Endpoints may set a lower limit. */
    readonly uploadBytes: number;
    /** The limit of calls per endpoint and address, unless the endpoint sets its own; 0 disables all these limits. */
    readonly requestsPerMinute: number;
    /**
     * If the event loop lags by more than this many milliseconds, calls except `/healthz` and `/metrics` are answered
     * with 503 until it recovers; 0 disables this.
     */
    readonly maxEventLoopLagMs: number;
    /** The minimum rate of a request body; slower ones are answered with 408. 0 disables the limit. */
    readonly bodyBytesPerSecond: number;
    /** The window over which that rate is measured. */
    readonly bodyWindowMs: number;
    /**
     * The limit of connections per client address. Behind trusted proxies, it limits the concurrent requests per client
     * address that the proxy forwards. 0 disables the limit.
     */
    readonly connectionsPerAddress: number;
    /**
     * Files are refused if less space than this is free in the data folder, because it is reserved for the database. 0
     * disables the check.
     */
    readonly diskReserveBytes: number;
    /** The maximum time for which a stop waits for open requests. */
    readonly stopTimeoutMs: number;
  };
  /** The variables that were read, without secret values. */
  readonly variables: readonly EnvironmentSetting[];
}

/** Whether the public URL is https. Cookies are `Secure` then. */
export const isServedOverHttps = ({ publicUrl }: Pick<ServerConfig, 'publicUrl'>): boolean =>
  publicUrl?.startsWith('https:') ?? false;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const mebibyte = 1024 * 1024;

/**
 * Reads the configuration from environment variables. A missing or wrong variable gets its default and a problem,
 * which the caller logs or throws (`readValidServerConfig`). No problem contains a secret value.
 */
export function readServerConfig(environment: Readonly<Record<string, string | undefined>>): {
  readonly config: ServerConfig;
  readonly problems: readonly ConfigProblem[];
} {
  const reader = new EnvironmentReader(environment);
  const dataFolder = path.resolve(reader.readText('WALKDOWN_DATA', '.walkdown'));
  const config: Omit<ServerConfig, 'variables'> = {
    host: reader.readText('HOST', '127.0.0.1'),
    port: reader.readInteger('PORT', 3000, { minimum: 0, maximum: 65_535 }),
    publicUrl: reader.readUrl('WALKDOWN_PUBLIC_ADDRESS', 'the address this server listens on'),
    ...readApiOrigin(reader),
    trustedProxies: reader.readOptionalInteger('WALKDOWN_TRUSTED_PROXIES', 0, { minimum: 0, maximum: 10 }),
    logLevel: reader.readOneOf('LOG_LEVEL', logLevels, 'info'),
    productCheck: readProductCheck(reader),
    dataFolder,
    database: readDatabase(reader, dataFolder),
    files: readFiles(reader, dataFolder),
    mail: readMail(reader, dataFolder),
    signOn: readSignOn(reader),
    session: {
      accessTokenLifetimeMs: reader.readOptionalInteger('WALKDOWN_ACCESS_TOKEN_MS', 5 * minuteMs, { minimum: 100 }),
      idleLifetimeMs: reader.readOptionalInteger('WALKDOWN_SESSION_IDLE_MS', 30 * dayMs, { minimum: 100 }),
      absoluteLifetimeMs: reader.readOptionalInteger('WALKDOWN_SESSION_ABSOLUTE_MS', 365 * dayMs, { minimum: 100 }),
      refreshGraceMs: reader.readOptionalInteger('WALKDOWN_REFRESH_GRACE_MS', 10_000, { minimum: 0 }),
      oneTimeCodeLifetimeMs: reader.readOptionalInteger('WALKDOWN_ONE_TIME_CODE_MS', 10 * minuteMs, { minimum: 100 }),
      invitationLifetimeMs: reader.readOptionalInteger('WALKDOWN_INVITATION_MS', 7 * dayMs, { minimum: 100 }),
    },
    tokenSecret: reader.readSecret('WALKDOWN_TOKEN_SECRET', 32),
    formerTokenSecret: reader.readSecret('WALKDOWN_FORMER_TOKEN_SECRET', 32),
    apiDescription: reader.readOneOf('WALKDOWN_API_DESCRIPTION', exposures, 'signed-in'),
    metrics: readMetrics(reader),
    jobs: {
      leaseMs: reader.readOptionalInteger('WALKDOWN_JOB_LEASE_MS', 30_000, { minimum: 300 }),
      maxConcurrent: reader.readOptionalInteger('WALKDOWN_JOBS_AT_ONCE', 2, { minimum: 1, maximum: 32 }),
    },
    limits: {
      bodyBytes: reader.readOptionalInteger('WALKDOWN_BODY_BYTES', mebibyte, { minimum: 1024 }),
      uploadBytes: reader.readOptionalInteger('WALKDOWN_UPLOAD_BYTES', Number.MAX_SAFE_INTEGER, { minimum: 1024 }),
      requestsPerMinute: reader.readOptionalInteger('WALKDOWN_REQUESTS_PER_MINUTE', 6000, { minimum: 0 }),
      maxEventLoopLagMs: reader.readOptionalInteger('WALKDOWN_BUSY_AFTER_MS', 5000, { minimum: 0 }),
      bodyBytesPerSecond: reader.readOptionalInteger('WALKDOWN_BODY_BYTES_PER_SECOND', 500, { minimum: 0 }),
      bodyWindowMs: reader.readOptionalInteger('WALKDOWN_BODY_WINDOW_MS', minuteMs, { minimum: 100 }),
      connectionsPerAddress: reader.readOptionalInteger('WALKDOWN_CONNECTIONS_PER_ADDRESS', 1000, { minimum: 0 }),
      diskReserveBytes: reader.readOptionalInteger('WALKDOWN_DISK_RESERVE_BYTES', 128 * mebibyte, { minimum: 0 }),
      stopTimeoutMs: reader.readOptionalInteger('WALKDOWN_STOP_TIMEOUT_MS', 10_000, { minimum: 100 }),
    },
  };
  reader.reportUnknown('WALKDOWN_', conditionalVariables);
  return { config: { ...config, variables: reader.settings }, problems: reader.problems };
}

/** Variables that are read by the command line, by tests, or only if another variable is set. */
const conditionalVariables: readonly string[] = [
  ...['FIRST', 'SECOND'].flatMap((provider) =>
    ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'MAIL_DOMAINS', 'GROUPS_CLAIM', 'GROUPS_ABSENT'].map(
      (name) => `WALKDOWN_OIDC_${provider}_${name}`,
    ),
  ),
  'WALKDOWN_API_ADDRESS',
  'WALKDOWN_DATABASE_CONNECTIONS',
  'WALKDOWN_FIRST_ADMIN',
  'WALKDOWN_FUZZ_SEED',
  'WALKDOWN_PROFILE',
  'WALKDOWN_SAMPLE_DATA',
  'WALKDOWN_SOAK',
  'WALKDOWN_SOAK_SEED',
  'WALKDOWN_WALK_MINUTES',
];

/**
 * Like `readServerConfig`, but throws if a variable is wrong: the operator set it and does not expect its default.
 *
 * @throws `ConfigurationError`
 */
export function readValidServerConfig(
  environment: Readonly<Record<string, string | undefined>>,
): ReturnType<typeof readServerConfig> {
  const { config, problems } = readServerConfig(environment);
  const wrongValues = problems.filter(({ kind }) => kind === 'wrong');
  if (wrongValues.length > 0)
    throw new ConfigurationError(wrongValues.map(({ sentence, remedy = '' }) => `${sentence} ${remedy}`).join('\n'));
  return { config, problems };
}

/** Pages on another host need absolute file URLs, so the URL of the API is expected if origins are allowed. */
function readApiOrigin(reader: EnvironmentReader): Pick<ServerConfig, 'apiUrl' | 'allowedOrigins'> {
  const allowedOrigins = readOrigins(reader);
  const effectiveValue = 'file URLs without a host, which pages on another host cannot load';
  const apiUrl =
    reader.readOptionalText('WALKDOWN_API_ADDRESS') !== undefined || allowedOrigins.length > 0
      ? reader.readUrl('WALKDOWN_API_ADDRESS', effectiveValue)
      : undefined;
  return { apiUrl, allowedOrigins };
}

function readOrigins(reader: EnvironmentReader): readonly string[] {
  const origins = (reader.readOptionalText('WALKDOWN_ALLOWED_ORIGINS') ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const isOrigin = (text: string): boolean =>
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
  if (!origins.every(isOrigin))
    reader.reportWrong(
      'WALKDOWN_ALLOWED_ORIGINS',
      'must be origins such as https://tours.example.com, without a path, separated by commas',
      'none',
    );
  return origins.filter(isOrigin);
}

function readProductCheck(reader: EnvironmentReader): ServerConfig['productCheck'] {
  const value = (reader.readOptionalText('WALKDOWN_VERIFY') ?? 'off').toLowerCase();
  if (/^[0-9a-f]{64}$/.test(value)) return { kind: 'on', proofSha256: value };
  if (['on', 'true', '1'].includes(value)) return { kind: 'on', proofSha256: undefined };
  if (!['off', 'false', '0'].includes(value))
    reader.reportWrong(
      'WALKDOWN_VERIFY',
      'must be on, off, or the SHA-256 of proof.json (64 hexadecimal digits)',
      'off',
    );
  return { kind: 'off' };
}

function readDatabase(reader: EnvironmentReader, dataFolder: string): ServerConfig['database'] {
  const folder = path.join(dataFolder, 'database');
  const url = reader.readSecretText('DATABASE_URL', `the embedded database in ${folder}`);
  if (url === undefined) return { kind: 'embedded', folder };
  if (!/^postgres(ql)?:\/\//.test(url)) {
    reader.reportWrong('DATABASE_URL', 'must begin with postgres://', `the embedded database in ${folder}`);
    return { kind: 'embedded', folder };
  }
  // Parsers take the text after the first @ as the host, and would leak a part of the password in their errors.
  if (!URL.canParse(url) || (url.split('?')[0] ?? '').split('@').length > 2) {
    reader.reportWrong(
      'DATABASE_URL',
      'must be an address such as postgres://acme:password@10.0.0.4:5432/acme; in a password @ is written as %40, / as ' +
        '%2F, ? as %3F, # as %23, % as %25 and a space as %20',
      `the embedded database in ${folder}`,
    );
    return { kind: 'embedded', folder };
  }
  return {
    kind: 'postgres',
    url: new Secret(url),
    connections: reader.readOptionalInteger('WALKDOWN_DATABASE_CONNECTIONS', 10, { minimum: 2, maximum: 200 }),
  };
}

function readFiles(reader: EnvironmentReader, dataFolder: string): ServerConfig['files'] {
  const folder = path.join(dataFolder, 'files');
  const onDisk = `files in ${folder}`;
  const optional = ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
  const presentVariable = optional.find((variable) => reader.readOptionalText(variable) !== undefined);
  const bucket = reader.readOptionalText('S3_BUCKET');
  if (bucket === undefined) {
    // Falling back to the local disk would hide the files that other servers store in the bucket.
    if (presentVariable === undefined) reader.reportMissing('S3_BUCKET', onDisk);
    else reader.reportWrong('S3_BUCKET', `must be set with ${presentVariable}`, onDisk, presentVariable);
    return { kind: 'disk', folder };
  }
  const keyId = reader.readOptionalText('S3_ACCESS_KEY_ID');
  const secret = reader.readOptionalText('S3_SECRET_ACCESS_KEY');
  const fallbackKeys = 'the keys of this machine, as the AWS SDK finds them';
  if (keyId !== undefined && secret === undefined)
    reader.reportWrong('S3_SECRET_ACCESS_KEY', 'must be set with S3_ACCESS_KEY_ID', fallbackKeys, 'S3_ACCESS_KEY_ID');
  if (keyId === undefined && secret !== undefined)
    reader.reportWrong(
      'S3_ACCESS_KEY_ID',
      'must be set with S3_SECRET_ACCESS_KEY',
      fallbackKeys,
      'S3_SECRET_ACCESS_KEY',
    );
  const config = {
    kind: 's3' as const,
    bucket,
    region: reader.readText('S3_REGION', 'us-east-1'),
    endpoint: reader.readOptionalUrl('S3_ENDPOINT', 'http://10.0.0.5:9000', 'Amazon S3'),
    accessKeyId: keyId,
    secretAccessKey: secret === undefined ? undefined : new Secret(secret),
  };
  reader.reportUnknown('S3_', []);
  return config;
}

function readMail(reader: EnvironmentReader, dataFolder: string): ServerConfig['mail'] {
  const folder = path.join(dataFolder, 'mail');
  const url = reader.readSecretText('SMTP_URL', `mails are written to ${folder}`);
  const from = reader.readOptionalText('MAIL_FROM') ?? 'walkdown@localhost';
  if (url === undefined) return { kind: 'file', folder, from };
  if (!/^smtps?:\/\//.test(url)) {
    reader.reportWrong('SMTP_URL', 'must begin with smtp:// or smtps://', `mails are written to ${folder}`);
    return { kind: 'file', folder, from };
  }
  if (reader.readOptionalText('MAIL_FROM') === undefined) reader.reportMissing('MAIL_FROM', from);
  return { kind: 'smtp', url: new Secret(url), from };
}

function readMetrics(reader: EnvironmentReader): ServerConfig['metrics'] {
  const exposure = reader.readOneOf('WALKDOWN_METRICS', exposures, 'signed-in');
  const secret = reader.readSecret('WALKDOWN_METRICS_SECRET', 8);
  if (exposure !== 'open' || secret === undefined) return { exposure, secret };
  reader.reportWrong(
    'WALKDOWN_METRICS_SECRET',
    'protects nothing while WALKDOWN_METRICS is open: set WALKDOWN_METRICS to signed-in',
    'metrics that anybody reads',
  );
  return { exposure, secret: undefined };
}

function readSignOn(reader: EnvironmentReader): ServerConfig['signOn'] {
  const signOn: Partial<Record<ProviderId, SignOnProvider>> = {};
  for (const provider of ['first', 'second'] as const) {
    const prefix = `WALKDOWN_OIDC_${provider.toUpperCase()}`;
    const issuer = reader.readOptionalText(`${prefix}_ISSUER`);
    if (issuer === undefined) continue;
    const clientId = reader.readOptionalText(`${prefix}_CLIENT_ID`);
    const clientSecret = reader.readOptionalText(`${prefix}_CLIENT_SECRET`);
    if (!URL.canParse(issuer))
      reader.reportWrong(
        `${prefix}_ISSUER`,
        'must be an address such as https://login.example.com',
        'this provider is off',
      );
    else if (issuer.includes('/.well-known/'))
      reader.reportWrong(
        `${prefix}_ISSUER`,
        'must be the issuer itself, without /.well-known/ and what follows it',
        'this provider is off',
      );
    else if (clientId === undefined)
      reader.reportWrong(
        `${prefix}_CLIENT_ID`,
        `must be set with ${prefix}_ISSUER`,
        'this provider is off',
        `${prefix}_ISSUER`,
      );
    else if (clientSecret === undefined)
      reader.reportWrong(
        `${prefix}_CLIENT_SECRET`,
        `must be set with ${prefix}_ISSUER`,
        'this provider is off',
        `${prefix}_ISSUER`,
      );
    else {
      const mailDomains = readMailDomains(reader, `${prefix}_MAIL_DOMAINS`);
      const groupsClaim = reader.readOptionalText(`${prefix}_GROUPS_CLAIM`);
      signOn[provider] = {
        issuer,
        clientId,
        clientSecret: new Secret(clientSecret),
        mailDomains,
        ...(groupsClaim === undefined
          ? {}
          : { groupsClaim, absentGroups: reader.readOneOf(`${prefix}_GROUPS_ABSENT`, absentGroups, 'keep') }),
      };
    }
  }
  const sharedDomain = signOn.first?.mailDomains.find((domain) => signOn.second?.mailDomains.includes(domain));
  if (sharedDomain !== undefined)
    reader.reportWrong(
      'WALKDOWN_OIDC_SECOND_MAIL_DOMAINS',
      `names ${sharedDomain}, which WALKDOWN_OIDC_FIRST_MAIL_DOMAINS names too: a domain belongs to one provider`,
      'the domains of the first provider alone',
    );
  return signOn;
}

function readMailDomains(reader: EnvironmentReader, variable: string): readonly string[] {
  const domains = (reader.readOptionalText(variable) ?? '')
    .split(',')
    .map((text) => normaliseMailDomain(text.trim()))
    .filter((text) => text !== '');
  const isDomain = (text: string): boolean => /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(text);
  if (!domains.every(isDomain))
    reader.reportWrong(variable, 'must be mail domains such as example.com, separated by commas', 'none');
  return domains.filter(isDomain);
}
