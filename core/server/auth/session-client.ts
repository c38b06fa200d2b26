import type { CallHttp } from '../kernel/server-plugin.ts';
import { formatDevice } from './format-device.ts';

/** The client of a call. */
export interface SessionClient {
  /** Such as "Chrome (Windows)". */
  readonly device: string;
  /** Network address. */
  readonly address: string;
  /** Id of the request. */
  readonly request: string;
}

export function toSessionClient(http: Pick<CallHttp, 'headers' | 'address'>, request: string): SessionClient {
  const userAgent = http.headers['user-agent'];
  return {
    device: formatDevice(typeof userAgent === 'string' ? userAgent : undefined),
    address: http.address,
    request,
  };
}
