import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from './server-config.ts';

/** Names of fields that hold secrets, or what people may not want in a log; at the top and two levels down. */
const hidden = [
  'password',
  'current',
  'next',
  'otp',
  'token',
  'accessToken',
  'refreshToken',
  'authorization',
  'cookie',
  'clientSecret',
  'secret',
  'username',
  'email',
  'parameters',
];

/**
 * JSON lines on the standard output. An error is its name, message, code and stack: never its other fields, which may
 * hold what people wrote.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['query.code', 'body.code', ...hidden.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])],
        censor: '[hidden]',
      },
      serializers: { err: errorFacts },
    },
    destination,
  );
}

function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause instanceof Error ? { cause: errorFacts(error.cause) } : {};
  return { name: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}
