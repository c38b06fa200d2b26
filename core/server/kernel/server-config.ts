import path from 'node:path';
import type { ProviderId } from '#core';
import { normaliseMailDomain } from './mail-domain.ts';
import { EnvironmentReader, type ConfigProblem } from './environment-reader.ts';
import { Secret } from './secret.ts';
import { ConfigurationError } from './configuration-error.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Who may read descriptions of the server: anybody, signed-in people, or nobody. */
export const exposures = ['open', 'signed-in', 'off'] as const;
export type Exposure = (typeof exposures)[number];

export interface SignOnProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** Mail domains of this provider: addresses in them need no verification, and no other provider may claim them. */
  readonly mailDomains: readonly string[];
}

/** All settings from the environment. Times in milliseconds, sizes in bytes. */
export interface ServerConfig {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /**
   * Without a trailing slash; for links in mails and the return of single sign-on. Undefined: `http://<host>:<port>` of
   * this server, with the actual port.
   */
  readonly publicAddress: string | undefined;
  /**
   * Base address of this API, including its path, if the pages are on another host; no trailing slash. File addresses
   * begin with it.
   */
  readonly apiAddress: string | undefined;
  /** Origins whose pages may call this API, such as `https://tours.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** Number of proxies in front of this server whose `x-forwarded-for` is trusted. */
  readonly trustedProxies: number;
  readonly logLevel: LogLevel;
  /** Whether the product's files are verified against `proof.json` at start, and against which one. */
  readonly productCheck:
    | { readonly kind: 'off' }
    | {
        readonly kind: 'on';
        /** SHA-256 of the expected `proof.json`; undefined: the one in the product. */
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
    readonly accessTokenLifetime: number;
    /** A session without renewal for this long ends. */
    readonly idleLifetime: number;
    /** The maximum age of a session. */
    readonly absoluteLifetime: number;
    /** How long a used refresh token is accepted again while its successor is unused: for lost replies. */
    readonly refreshGrace: number;
    readonly oneTimeCodeLifetime: number;
    readonly invitationLifetime: number;
  };
  /** Signs access tokens; undefined: generated once and stored in the database. */
  readonly tokenSecret: Secret | undefined;
  /** The API's description at `/api/openapi.json` and `/api/docs`. */
  readonly apiDescription: Exposure;
  /** `/metrics`. */
  readonly metrics: {
    readonly exposure: Exposure;
    /** Accepted as a bearer token. Undefined with `open`. */
    readonly secret: Secret | undefined;
  };
  readonly jobs: {
    /** How long a job stays with a process without a heartbeat, before another one continues it. */
    readonly lease: number;
    /** Concurrent jobs in one process. */
    readonly atOnce: number;
  };
  readonly limits: {
    /** Of a JSON body. */
    readonly bodyBytes: number;
    /** Per uploaded file; the kind's own limit may be lower. */
    readonly uploadBytes: number;
    /** Calls per endpoint and address, unless the endpoint sets its own limit; 0 disables all these limits. */
    readonly requestsPerMinute: number;
    /**
     * If the event loop lags by more than this, calls except `/healthz` are answered 503 until it recovers; 0: never.
     */
    readonly busyAfter: number;
    /** Minimum rate of a request body, else 408; 0: no limit. */
    readonly bodyBytesPerSecond: number;
    /** The window over which that rate is measured. */
    readonly bodyWindow: number;
    /**
     * Connections per address; behind trusted proxies, which own all connections, concurrent requests of the address
     * that the proxy names. 0: no limit.
     */
    readonly connectionsPerAddress: number;
    /**
     * Files are refused below this free space in the data folder, which is reserved for the database. 0: not checked.
     */
    readonly diskReserveBytes: number;
    /** How long a stop waits for open requests. */
    readonly stopTimeout: number;
  };
}

/** Whether people use https: cookies are `Secure` then. */
export const isReachedByTls = ({ publicAddress }: Pick<ServerConfig, 'publicAddress'>): boolean =>
  publicAddress?.startsWith('https:') ?? false;

const minute = 60_000;
const day = 24 * 60 * minute;
const mebibyte = 1024 * 1024;

/**
 * Reads the configuration from environment variables. Missing and wrong ones get their default and a problem that names
 * the variable, for the caller to log or refuse (`soundServerConfig`). No problem contains a secret value.
 */
export function readServerConfig(environment: Readonly<Record<string, string | undefined>>): {
  readonly config: ServerConfig;
  readonly problems: readonly ConfigProblem[];
} {
  const read = new EnvironmentReader(environment);
  const dataFolder = path.resolve(read.text('WALKDOWN_DATA', '.walkdown'));
  const config: ServerConfig = {
    host: read.text('HOST', '127.0.0.1'),
    port: read.integer('PORT', 3000, { minimum: 0, maximum: 65_535 }),
    publicAddress: read.address('WALKDOWN_PUBLIC_ADDRESS', 'the address this server listens on'),
    ...readSplit(read),
    trustedProxies: read.optionalInteger('WALKDOWN_TRUSTED_PROXIES', 0, { minimum: 0, maximum: 10 }),
    logLevel: read.oneOf('LOG_LEVEL', logLevels, 'info'),
    productCheck: readProductCheck(read),
    dataFolder,
    database: readDatabase(read, dataFolder),
    files: readFiles(read, dataFolder),
    mail: readMail(read, dataFolder),
    signOn: readSignOn(read),
    session: {
      accessTokenLifetime: read.optionalInteger('WALKDOWN_ACCESS_TOKEN_MS', 5 * minute, { minimum: 100 }),
      idleLifetime: read.optionalInteger('WALKDOWN_SESSION_IDLE_MS', 30 * day, { minimum: 100 }),
      absoluteLifetime: read.optionalInteger('WALKDOWN_SESSION_ABSOLUTE_MS', 365 * day, { minimum: 100 }),
      refreshGrace: read.optionalInteger('WALKDOWN_REFRESH_GRACE_MS', 10_000, { minimum: 0 }),
      oneTimeCodeLifetime: read.optionalInteger('WALKDOWN_ONE_TIME_CODE_MS', 10 * minute, { minimum: 100 }),
      invitationLifetime: read.optionalInteger('WALKDOWN_INVITATION_MS', 7 * day, { minimum: 100 }),
    },
    tokenSecret: read.secret('WALKDOWN_TOKEN_SECRET', 32),
    apiDescription: read.oneOf('WALKDOWN_API_DESCRIPTION', exposures, 'signed-in'),
    metrics: readMetrics(read),
    jobs: {
      lease: read.optionalInteger('WALKDOWN_JOB_LEASE_MS', 30_000, { minimum: 300 }),
      atOnce: read.optionalInteger('WALKDOWN_JOBS_AT_ONCE', 2, { minimum: 1, maximum: 32 }),
    },
    limits: {
      bodyBytes: read.optionalInteger('WALKDOWN_BODY_BYTES', mebibyte, { minimum: 1024 }),
      uploadBytes: read.optionalInteger('WALKDOWN_UPLOAD_BYTES', Number.MAX_SAFE_INTEGER, { minimum: 1024 }),
      requestsPerMinute: read.optionalInteger('WALKDOWN_REQUESTS_PER_MINUTE', 6000, { minimum: 0 }),
      busyAfter: read.optionalInteger('WALKDOWN_BUSY_AFTER_MS', 5000, { minimum: 0 }),
      bodyBytesPerSecond: read.optionalInteger('WALKDOWN_BODY_BYTES_PER_SECOND', 500, { minimum: 0 }),
      bodyWindow: read.optionalInteger('WALKDOWN_BODY_WINDOW_MS', minute, { minimum: 100 }),
      connectionsPerAddress: read.optionalInteger('WALKDOWN_CONNECTIONS_PER_ADDRESS', 1000, { minimum: 0 }),
      diskReserveBytes: read.optionalInteger('WALKDOWN_DISK_RESERVE_BYTES', 128 * mebibyte, { minimum: 0 }),
      stopTimeout: read.optionalInteger('WALKDOWN_STOP_TIMEOUT_MS', 10_000, { minimum: 100 }),
    },
  };
  read.reportUnknown('WALKDOWN_', readElsewhere);
  return { config, problems: read.problems };
}

/** Variables that are read only if another one is set, by the command line, or by tests. */
const readElsewhere: readonly string[] = [
  ...['FIRST', 'SECOND'].flatMap((provider) =>
    ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'MAIL_DOMAINS'].map((name) => `WALKDOWN_OIDC_${provider}_${name}`),
  ),
  'WALKDOWN_API_ADDRESS',
  'WALKDOWN_DATABASE_CONNECTIONS',
  'WALKDOWN_FIRST_ADMIN',
  'WALKDOWN_FUZZ_SEED',
  'WALKDOWN_PROFILE',
  'WALKDOWN_SAMPLE_DATA',
  'WALKDOWN_SOAK',
  'WALKDOWN_WALK_MINUTES',
];

/**
 * Like `readServerConfig`, but refuses wrong variables: a server that starts with defaults instead would not be the
 * intended one.
 *
 * @throws `ConfigurationError`
 */
export function soundServerConfig(
  environment: Readonly<Record<string, string | undefined>>,
): ReturnType<typeof readServerConfig> {
  const { config, problems } = readServerConfig(environment);
  const wrong = problems.filter(({ kind }) => kind === 'wrong');
  if (wrong.length > 0)
    throw new ConfigurationError(wrong.map(({ sentence, remedy = '' }) => `${sentence} ${remedy}`).join('\n'));
  return { config, problems };
}

/** Pages on another host resolve relative addresses at their own host. */
function readSplit(read: EnvironmentReader): Pick<ServerConfig, 'apiAddress' | 'allowedOrigins'> {
  const allowedOrigins = readOrigins(read);
  const used = 'addresses of files without a host, which pages on another host do not find';
  const apiAddress =
    read.optionalText('WALKDOWN_API_ADDRESS') !== undefined || allowedOrigins.length > 0
      ? read.address('WALKDOWN_API_ADDRESS', used)
      : undefined;
  return { apiAddress, allowedOrigins };
}

function readOrigins(read: EnvironmentReader): readonly string[] {
  const given = (read.optionalText('WALKDOWN_ALLOWED_ORIGINS') ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const isOrigin = (text: string): boolean =>
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
  if (!given.every(isOrigin))
    read.wrong(
      'WALKDOWN_ALLOWED_ORIGINS',
      'must be origins such as https://tours.example.com, without a path, with commas between them',
      'none',
    );
  return given.filter(isOrigin);
}

function readProductCheck(read: EnvironmentReader): ServerConfig['productCheck'] {
  const value = (read.optionalText('WALKDOWN_VERIFY') ?? 'off').toLowerCase();
  if (/^[0-9a-f]{64}$/.test(value)) return { kind: 'on', proofSha256: value };
  if (['on', 'true', '1'].includes(value)) return { kind: 'on', proofSha256: undefined };
  if (!['off', 'false', '0'].includes(value))
    read.wrong('WALKDOWN_VERIFY', 'must be on, off, or the SHA-256 of proof.json (64 hexadecimal digits)', 'off');
  return { kind: 'off' };
}

function readDatabase(read: EnvironmentReader, dataFolder: string): ServerConfig['database'] {
  const folder = path.join(dataFolder, 'database');
  const url = read.secretText('DATABASE_URL', `the embedded database in ${folder}`);
  if (url === undefined) return { kind: 'embedded', folder };
  if (!/^postgres(ql)?:\/\//.test(url)) {
    read.wrong('DATABASE_URL', 'must begin with postgres://', `the embedded database in ${folder}`);
    return { kind: 'embedded', folder };
  }
  // Parsers take the text after the first @ as the host, and would leak a part of the password in their errors.
  if (!URL.canParse(url) || (url.split('?')[0] ?? '').split('@').length > 2) {
    read.wrong(
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
    connections: read.optionalInteger('WALKDOWN_DATABASE_CONNECTIONS', 10, { minimum: 2, maximum: 200 }),
  };
}

function readFiles(read: EnvironmentReader, dataFolder: string): ServerConfig['files'] {
  const folder = path.join(dataFolder, 'files');
  const onDisk = `files in ${folder}`;
  const optional = ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
  const given = optional.find((variable) => read.optionalText(variable) !== undefined);
  const bucket = read.optionalText('S3_BUCKET');
  if (bucket === undefined) {
    // Falling back to the local disk would hide the files that other servers store in the bucket.
    if (given === undefined) read.missing('S3_BUCKET', onDisk);
    else read.wrong('S3_BUCKET', `must be set with ${given}`, onDisk, given);
    return { kind: 'disk', folder };
  }
  const keyId = read.optionalText('S3_ACCESS_KEY_ID');
  const secret = read.optionalText('S3_SECRET_ACCESS_KEY');
  const keysOfMachine = 'the keys of this machine, as the AWS SDK finds them';
  if (keyId !== undefined && secret === undefined)
    read.wrong('S3_SECRET_ACCESS_KEY', 'must be set with S3_ACCESS_KEY_ID', keysOfMachine, 'S3_ACCESS_KEY_ID');
  if (keyId === undefined && secret !== undefined)
    read.wrong('S3_ACCESS_KEY_ID', 'must be set with S3_SECRET_ACCESS_KEY', keysOfMachine, 'S3_SECRET_ACCESS_KEY');
  const config = {
    kind: 's3' as const,
    bucket,
    region: read.text('S3_REGION', 'us-east-1'),
    endpoint: read.optionalAddress('S3_ENDPOINT', 'http://10.0.0.5:9000', 'Amazon S3'),
    accessKeyId: keyId,
    secretAccessKey: secret === undefined ? undefined : new Secret(secret),
  };
  read.reportUnknown('S3_', []);
  return config;
}

function readMail(read: EnvironmentReader, dataFolder: string): ServerConfig['mail'] {
  const folder = path.join(dataFolder, 'mail');
  const url = read.secretText('SMTP_URL', `mails are written to ${folder}`);
  const from = read.optionalText('MAIL_FROM') ?? 'walkdown@localhost';
  if (url === undefined) return { kind: 'file', folder, from };
  if (!/^smtps?:\/\//.test(url)) {
    read.wrong('SMTP_URL', 'must begin with smtp:// or smtps://', `mails are written to ${folder}`);
    return { kind: 'file', folder, from };
  }
  if (read.optionalText('MAIL_FROM') === undefined) read.missing('MAIL_FROM', from);
  return { kind: 'smtp', url: new Secret(url), from };
}

function readMetrics(read: EnvironmentReader): ServerConfig['metrics'] {
  const exposure = read.oneOf('WALKDOWN_METRICS', exposures, 'signed-in');
  const secret = read.secret('WALKDOWN_METRICS_SECRET', 8);
  if (exposure !== 'open' || secret === undefined) return { exposure, secret };
  read.wrong(
    'WALKDOWN_METRICS_SECRET',
    'protects nothing while WALKDOWN_METRICS is open: set WALKDOWN_METRICS to signed-in',
    'metrics that anybody reads',
  );
  return { exposure, secret: undefined };
}

function readSignOn(read: EnvironmentReader): ServerConfig['signOn'] {
  const signOn: Partial<Record<ProviderId, SignOnProvider>> = {};
  for (const provider of ['first', 'second'] as const) {
    const prefix = `WALKDOWN_OIDC_${provider.toUpperCase()}`;
    const issuer = read.optionalText(`${prefix}_ISSUER`);
    if (issuer === undefined) continue;
    const clientId = read.optionalText(`${prefix}_CLIENT_ID`);
    const clientSecret = read.optionalText(`${prefix}_CLIENT_SECRET`);
    if (!URL.canParse(issuer))
      read.wrong(`${prefix}_ISSUER`, 'must be an address such as https://login.example.com', 'this provider is off');
    else if (issuer.includes('/.well-known/'))
      read.wrong(
        `${prefix}_ISSUER`,
        'must be the issuer itself, without /.well-known/ and what follows it',
        'this provider is off',
      );
    else if (clientId === undefined)
      read.wrong(
        `${prefix}_CLIENT_ID`,
        `must be set with ${prefix}_ISSUER`,
        'this provider is off',
        `${prefix}_ISSUER`,
      );
    else if (clientSecret === undefined)
      read.wrong(
        `${prefix}_CLIENT_SECRET`,
        `must be set with ${prefix}_ISSUER`,
        'this provider is off',
        `${prefix}_ISSUER`,
      );
    else {
      const mailDomains = readMailDomains(read, `${prefix}_MAIL_DOMAINS`);
      signOn[provider] = { issuer, clientId, clientSecret: new Secret(clientSecret), mailDomains };
    }
  }
  const shared = signOn.first?.mailDomains.find((domain) => signOn.second?.mailDomains.includes(domain));
  if (shared !== undefined)
    read.wrong(
      'WALKDOWN_OIDC_SECOND_MAIL_DOMAINS',
      `names ${shared}, which WALKDOWN_OIDC_FIRST_MAIL_DOMAINS names too: a domain belongs to one provider`,
      'the domains of the first provider alone',
    );
  return signOn;
}

function readMailDomains(read: EnvironmentReader, variable: string): readonly string[] {
  const given = (read.optionalText(variable) ?? '')
    .split(',')
    .map((text) => normaliseMailDomain(text.trim()))
    .filter((text) => text !== '');
  const isDomain = (text: string): boolean => /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(text);
  if (!given.every(isDomain))
    read.wrong(variable, 'must be mail domains such as example.com, with commas between them', 'none');
  return given.filter(isDomain);
}
