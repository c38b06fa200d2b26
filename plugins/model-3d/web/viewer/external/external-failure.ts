/** The reason for which the external viewer shows nothing. Each reason has its own message. */
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
  /** The error code of the service, for support. */
  readonly code: number | undefined;

  constructor(reason: ExternalReason, code?: number, options?: ErrorOptions) {
    super(`The external model viewer failed: ${reason}${code === undefined ? '' : ` (${code})`}.`, options);
    this.reason = reason;
    this.code = code;
  }
}

/** Error codes of the service that this plugin uses. */
export const viewerErrors = { accessDenied: 4, notFound: 5, noWebGl: 8, noView: 9, contextLost: 15 } as const;

const reasons: ReadonlyMap<number, ExternalReason> = new Map([
  [viewerErrors.accessDenied, 'denied'],
  [viewerErrors.notFound, 'notFound'],
  [viewerErrors.noWebGl, 'noWebGl'],
  [viewerErrors.noView, 'noView'],
]);

/** Converts an error code of the service. */
export const toExternalFailure = (code: number): ExternalFailure =>
  new ExternalFailure(reasons.get(code) ?? 'failed', code);
