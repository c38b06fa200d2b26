/** Why the external viewer shows nothing; each reason has its own message. */
export type ExternalReason =
  | 'script'
  | 'slow'
  | 'token'
  | 'denied'
  | 'notFound'
  | 'noWebGl'
  | 'noView'
  | 'noModel'
  | 'failed';

export class ExternalFailure extends Error {
  override readonly name = 'ExternalFailure';
  readonly reason: ExternalReason;
  /** The service's own code, for support. */
  readonly code: number | undefined;

  constructor(reason: ExternalReason, code?: number, options?: ErrorOptions) {
    super(`The external model viewer failed: ${reason}${code === undefined ? '' : ` (${code})`}.`, options);
    this.reason = reason;
    this.code = code;
  }
}

/** Error codes of the service: 4 access denied, 5 not found, 8 no WebGL, 9 nothing to view. */
export const failureOfCode = (code: number): ExternalFailure =>
  new ExternalFailure(
    ({ 4: 'denied', 5: 'notFound', 8: 'noWebGl', 9: 'noView' } as const)[code as 4 | 5 | 8 | 9] ?? 'failed',
    code,
  );
