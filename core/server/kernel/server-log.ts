import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from './server-config.ts';

/** Names of fields with secrets or personal data; redacted at the top and two levels down. */
const redactedFields = [
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
 * JSON lines on the standard output. Errors are logged as name, message, code and stack, without other properties,
 * which may contain user data.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['query.code', 'body.code', ...redactedFields.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])],
        censor: '[hidden]',
      },
      serializers: { err: serializeError },
    },
    destination,
  );
}

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause instanceof Error ? { cause: serializeError(error.cause) } : {};
  return { name: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}
