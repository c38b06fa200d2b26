import axios, { type AxiosAdapter, type AxiosInstance } from 'axios';
import { apiBase } from './api-base.ts';

/** An axios instance for our server, without a session. Sends cookies to an API on another origin, too. */
export function openTransport(adapter?: AxiosAdapter, base: string = apiBase()): AxiosInstance {
  return axios.create({
    baseURL: base,
    withCredentials: base !== '',
    timeout: 60_000,
    paramsSerializer: { indexes: null },
    ...(adapter ? { adapter } : {}),
  });
}
